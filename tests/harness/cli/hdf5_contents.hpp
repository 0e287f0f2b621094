// What the cases of an HDF5 file hold, to compare files by.
#pragma once

#include <fmt/format.h>

#include <map>
#include <string>
#include <vector>

#include "reports/hdf5_groups.hpp"

namespace quadpair::cli {

/// Bytes of every dataset by "case/name", the case by its "id" too.
inline std::map<std::string, std::string> hdf5_contents(const std::string& file) {
  using namespace reports;
  std::map<std::string, std::string> contents;
  const FileHandle opened(checked(H5Fopen(file.c_str(), H5F_ACC_RDONLY, H5P_DEFAULT), file));
  const GroupHandle cases = open_group(opened, "cases");
  for (const std::string& name : members(cases)) {
    const GroupHandle group = open_group(cases, name);
    const AttributeHandle id(checked(H5Aopen(group, "id", H5P_DEFAULT), name));
    char* text = nullptr;
    checked(H5Aread(id, TypeHandle(H5Aget_type(id)), &text), name);
    contents[name + "/id"] = text;
    H5free_memory(text);
    for (const std::string& dataset_name : members(group)) {
      const DatasetHandle dataset(checked(H5Dopen2(group, dataset_name.c_str(), H5P_DEFAULT), dataset_name));
      const TypeHandle type(H5Dget_type(dataset));
      const SpaceHandle space(H5Dget_space(dataset));
      std::string& bytes = contents[fmt::format("{}/{}", name, dataset_name)];
      bytes.resize(static_cast<std::size_t>(H5Sget_simple_extent_npoints(space)) * H5Tget_size(type));
      checked(H5Dread(dataset, type, H5S_ALL, H5S_ALL, H5P_DEFAULT, bytes.data()), dataset_name);
    }
  }
  return contents;
}

}  // namespace quadpair::cli
