# Compile options shared by every target, and the two helpers that declare libraries and tests.

find_package(Threads REQUIRED)
find_package(PkgConfig REQUIRED)
find_package(fmt REQUIRED)
find_package(nlohmann_json REQUIRED)
find_package(CLI11 REQUIRED)
find_package(TBB REQUIRED)
find_package(OpenSSL REQUIRED COMPONENTS Crypto)
pkg_check_modules(HWY REQUIRED IMPORTED_TARGET libhwy)
pkg_check_modules(RE2 REQUIRED IMPORTED_TARGET re2)
pkg_check_modules(XXHASH REQUIRED IMPORTED_TARGET libxxhash)

add_library(quadpair_options INTERFACE)
target_include_directories(quadpair_options INTERFACE $<BUILD_INTERFACE:${CMAKE_SOURCE_DIR}>)
# FP32 arithmetic is modelled bit for bit: no contraction, ever.
target_compile_options(quadpair_options INTERFACE -Wall -Wextra -Wshadow
  -ffp-contract=off)
if(QUADPAIR_SANITIZE)
  target_compile_options(quadpair_options INTERFACE -fsanitize=address,undefined -fno-sanitize-recover=undefined
    -fno-omit-frame-pointer)
  target_link_options(quadpair_options INTERFACE -fsanitize=address,undefined)
endif()
if(QUADPAIR_FUZZ)
  target_compile_options(quadpair_options INTERFACE -fsanitize=fuzzer-no-link)
endif()

# quadpair_library(NAME SOURCES ... LINK ...)
function(quadpair_library name)
  cmake_parse_arguments(ARG "" "" "SOURCES;LINK" ${ARGN})
  add_library(${name} STATIC ${ARG_SOURCES})
  target_link_libraries(${name} PUBLIC ${ARG_LINK} PRIVATE $<BUILD_INTERFACE:quadpair_options>)
  target_include_directories(${name} PUBLIC $<BUILD_INTERFACE:${CMAKE_SOURCE_DIR}>)
endfunction()

# Of one test, in seconds.
set(QUADPAIR_TEST_TIMEOUT 600)
if(QUADPAIR_SANITIZE)
  set(QUADPAIR_TEST_TIMEOUT 3600)
endif()

# quadpair_test(NAME SOURCES ... LINK ...): a GoogleTest program, each of its tests known to CTest.
function(quadpair_test name)
  cmake_parse_arguments(ARG "" "" "SOURCES;LINK" ${ARGN})
  add_executable(${name} ${ARG_SOURCES})
  target_link_libraries(${name} PRIVATE ${ARG_LINK} GTest::gmock GTest::gtest_main quadpair_options)
  target_compile_definitions(${name} PRIVATE QUADPAIR_TEST_DATA="${CMAKE_SOURCE_DIR}/tests")
  set_target_properties(${name} PROPERTIES RUNTIME_OUTPUT_DIRECTORY ${CMAKE_BINARY_DIR}/tests)
  # Without the bytes of parameters that cannot be printed: tests of such have names.
  gtest_discover_tests(${name} NO_PRETTY_VALUES DISCOVERY_TIMEOUT 120
    PROPERTIES TIMEOUT ${QUADPAIR_TEST_TIMEOUT})
endfunction()
