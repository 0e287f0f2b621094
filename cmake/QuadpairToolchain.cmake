# The CUDA 12.8 compiler: an installed toolkit of that version, else the pinned wheels that `make setup`
# unpacks into the build's own folder. CUDA 13 dropped sm_70, so no other version will do.

set(QUADPAIR_CUDA_ROOT "" CACHE PATH "CUDA 12.8: a folder with include/, lib/libnvrtc.so.12 and bin/ptxas")

if(NOT QUADPAIR_CUDA_ROOT)
  foreach(candidate /usr/local/cuda-12.8 ${CMAKE_SOURCE_DIR}/build/toolchain/cuda-12.8)
    if(EXISTS ${candidate}/include/cuda_fp16.h)
      set(QUADPAIR_CUDA_ROOT ${candidate} CACHE PATH "" FORCE)
      break()
    endif()
  endforeach()
endif()
if(NOT EXISTS ${QUADPAIR_CUDA_ROOT}/include/cuda_fp16.h)
  message(FATAL_ERROR "CUDA 12.8 not found: run 'make setup', or pass -DQUADPAIR_CUDA_ROOT=...")
endif()
find_library(QUADPAIR_NVRTC NAMES libnvrtc.so.12 PATHS ${QUADPAIR_CUDA_ROOT}/lib ${QUADPAIR_CUDA_ROOT}/lib64
  NO_DEFAULT_PATH REQUIRED)
# Programs of this build find the toolkit's own CUDA runtime when the system has none; installed ones look for
# it beside themselves.
set(CMAKE_BUILD_RPATH ${QUADPAIR_CUDA_ROOT}/lib)
message(STATUS "CUDA 12.8: ${QUADPAIR_CUDA_ROOT}")
