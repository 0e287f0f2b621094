# Runs PROGRAM ARGUMENTS and fails unless it exits with STATUS.
execute_process(COMMAND ${PROGRAM} ${ARGUMENTS} RESULT_VARIABLE got OUTPUT_VARIABLE out ERROR_VARIABLE err)
if(NOT got EQUAL STATUS)
  message(FATAL_ERROR "status ${got}, not ${STATUS}\n${out}${err}")
endif()
