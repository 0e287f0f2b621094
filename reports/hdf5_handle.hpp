// Handles of the HDF5 C library that close themselves, and its error messages as exceptions.
#pragma once

#include <hdf5.h>

#include <string>
#include <utility>

#include "reports/hdf5.hpp"

namespace quadpair::reports {

/// Owns an identifier that `Close` releases.
template <herr_t (*Close)(hid_t)>
class Hdf5Handle {
 public:
  Hdf5Handle() = default;
  explicit Hdf5Handle(hid_t id) : id_(id) {}
  Hdf5Handle(Hdf5Handle&& other) noexcept : id_(std::exchange(other.id_, H5I_INVALID_HID)) {}
  Hdf5Handle& operator=(Hdf5Handle&& other) noexcept {
    std::swap(id_, other.id_);
    return *this;
  }
  ~Hdf5Handle() {
    if (id_ >= 0) Close(id_);
  }
  operator hid_t() const { return id_; }

 private:
  hid_t id_ = H5I_INVALID_HID;
};

using FileHandle = Hdf5Handle<H5Fclose>;
using GroupHandle = Hdf5Handle<H5Gclose>;
using DatasetHandle = Hdf5Handle<H5Dclose>;
using AttributeHandle = Hdf5Handle<H5Aclose>;
using TypeHandle = Hdf5Handle<H5Tclose>;
using SpaceHandle = Hdf5Handle<H5Sclose>;
using PropertiesHandle = Hdf5Handle<H5Pclose>;

/// Before anything else is asked of the library: it is to print nothing of what is thrown here, and not to
/// close files once more when the process ends, where it crashes over one that the disk did not take.
inline void begin_hdf5() {
  H5dont_atexit();
  H5Eset_auto2(H5E_DEFAULT, nullptr, nullptr);
}

/// The innermost message on HDF5's error stack.
inline std::string hdf5_message() {
  std::string message = "no message";
  H5Ewalk2(
      H5E_DEFAULT, H5E_WALK_UPWARD,
      [](unsigned n, const H5E_error2_t* error, void* text) -> herr_t {
        if (n == 0) *static_cast<std::string*>(text) = error->desc;
        return 0;
      },
      &message);
  return message;
}

/// Passes on what the library returned. Throws Hdf5Error when that is negative.
template <class Result>
Result checked(Result result, const std::string& what) {
  if (result < 0) throw Hdf5Error(what + ": " + hdf5_message());
  return result;
}

}  // namespace quadpair::reports
