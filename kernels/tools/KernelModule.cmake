# Modules that multiply by warpgroups, which only sm_90a has.
set(QUADPAIR_WARPGROUP_MODULES dense/gemm wide/tm_gemm)

# quadpair_kernel_modules(LIBRARY STEM ... [DAMAGE NAME]): compiles kernels/STEM.cu for every target, adds the
# embedded modules to LIBRARY's sources and appends their symbols to LIBRARY's property QUADPAIR_MODULES.
# DAMAGE defines QUADPAIR_DAMAGE_NAME, for tests that must fail.
function(quadpair_kernel_modules library)
  cmake_parse_arguments(ARG "" "DAMAGE" "" ${ARGN})
  set(folder ${CMAKE_CURRENT_BINARY_DIR}/modules)
  file(MAKE_DIRECTORY ${folder})
  set(define)
  set(suffix)
  if(ARG_DAMAGE)
    set(define --define QUADPAIR_DAMAGE_${ARG_DAMAGE})
    string(TOLOWER _${ARG_DAMAGE} suffix)
  endif()
  foreach(stem IN LISTS ARG_UNPARSED_ARGUMENTS)
    foreach(target sm70 sm80 sm90)
      string(REPLACE "/" "_" symbol ${stem}_${target}${suffix})
      set(output ${folder}/${symbol})
      set(specific)
      if(target STREQUAL sm90 AND stem IN_LIST QUADPAIR_WARPGROUP_MODULES)
        set(specific --specific)
      endif()
      add_custom_command(
        OUTPUT ${output}.cpp
        BYPRODUCTS ${output}.ptx ${output}.cubin
        COMMAND quadpair_compile_kernel --root ${CMAKE_SOURCE_DIR} --stem ${stem} --target ${target}
          --symbol ${symbol} --output ${output} ${define} ${specific}
        DEPENDS quadpair_compile_kernel
        DEPFILE ${output}.d
        COMMENT "Compiling ${symbol}"
        VERBATIM)
      target_sources(${library} PRIVATE ${output}.cpp)
      set_property(TARGET ${library} APPEND PROPERTY QUADPAIR_MODULES ${symbol})
    endforeach()
  endforeach()
endfunction()

# quadpair_module_list(LIBRARY): writes LIBRARY's modules/module_list.inc, one QUADPAIR_MODULE(symbol) a line.
function(quadpair_module_list library)
  get_target_property(symbols ${library} QUADPAIR_MODULES)
  set(list)
  foreach(symbol IN LISTS symbols)
    string(APPEND list "QUADPAIR_MODULE(${symbol})\n")
  endforeach()
  file(GENERATE OUTPUT ${CMAKE_CURRENT_BINARY_DIR}/modules/module_list.inc CONTENT "${list}")
  target_include_directories(${library} PRIVATE ${CMAKE_CURRENT_BINARY_DIR}/modules)
endfunction()
