# The bundle brings all that it loads, but the C library. Run with
#   cmake -DBUILD=build/release -DBUNDLE=folder -P bundle.cmake
# Fails, naming it, for a library that would come from this machine or from nowhere.
cmake_minimum_required(VERSION 3.25)

file(REMOVE_RECURSE ${BUNDLE})
execute_process(COMMAND ${CMAKE_COMMAND} --install ${BUILD} --component bundle --prefix ${BUNDLE}
  OUTPUT_QUIET COMMAND_ERROR_IS_FATAL ANY)
execute_process(COMMAND ldd ${BUNDLE}/bin/quadpair OUTPUT_VARIABLE loaded COMMAND_ERROR_IS_FATAL ANY)
string(REGEX MATCHALL "[^\n]+ => [^\n]+" libraries "${loaded}")
list(LENGTH libraries count)
if(count LESS 10)
  message(FATAL_ERROR "ldd names too few libraries:\n${loaded}")
endif()
foreach(library IN LISTS libraries)
  if(library MATCHES "lib(c|m|pthread|dl|rt)\\.so")
    continue()
  endif()
  string(REGEX REPLACE ".* => ([^ ]+).*" "\\1" path "${library}")
  file(REAL_PATH "${path}" path)
  file(REAL_PATH "${BUNDLE}" bundle)
  if(NOT path MATCHES "^${bundle}/")
    message(FATAL_ERROR " not in the bundle:${library}")
  endif()
endforeach()
file(REMOVE_RECURSE ${BUNDLE})
