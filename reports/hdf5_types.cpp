#include "reports/hdf5_types.hpp"

#include <cstddef>
#include <cstdint>

namespace quadpair::reports {
namespace {

TypeHandle copy_of(hid_t type) {
  return TypeHandle(checked(H5Tcopy(type), "copying a type"));
}

TypeHandle side_type() {
  TypeHandle type(checked(H5Tenum_create(H5T_STD_U8LE), "making the type of sides"));
  const std::uint8_t control = 0, candidate = 1;
  checked(H5Tenum_insert(type, "control", &control), "naming the control");
  checked(H5Tenum_insert(type, "candidate", &candidate), "naming the candidate");
  return type;
}

}  // namespace

TypeHandle half_type() {
  TypeHandle type = copy_of(H5T_IEEE_F32LE);
  // Fields first: the size may only shrink to what they need.
  checked(H5Tset_fields(type, 15, 10, 5, 0, 10), "laying out FP16");
  checked(H5Tset_size(type, 2), "sizing FP16");
  checked(H5Tset_ebias(type, 15), "setting the bias of FP16");
  return type;
}

TypeHandle sample_type() {
  TypeHandle type(checked(H5Tcreate(H5T_COMPOUND, sizeof(SampleRow)), "making the type of samples"));
  const auto insert = [&](const char* name, std::size_t offset, hid_t field) {
    checked(H5Tinsert(type, name, offset, field), std::string("adding the field ") + name);
  };
  insert("side", offsetof(SampleRow, side), side_type());
  insert("round", offsetof(SampleRow, round), H5T_NATIVE_UINT32);
  insert("order", offsetof(SampleRow, order), H5T_NATIVE_UINT32);
  insert("seconds", offsetof(SampleRow, seconds), H5T_NATIVE_DOUBLE);
  insert("sm_mhz", offsetof(SampleRow, sm_mhz), H5T_NATIVE_UINT32);
  insert("throttled", offsetof(SampleRow, throttled), H5T_NATIVE_UINT8);
  insert("counted", offsetof(SampleRow, counted), H5T_NATIVE_UINT8);
  return type;
}

TypeHandle text_type() {
  TypeHandle type = copy_of(H5T_C_S1);
  checked(H5Tset_size(type, H5T_VARIABLE), "sizing a text");
  checked(H5Tset_cset(type, H5T_CSET_UTF8), "choosing UTF-8");
  return type;
}

}  // namespace quadpair::reports
