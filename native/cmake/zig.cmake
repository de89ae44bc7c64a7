# The toolchain of the published packages: Zig's Clang, which can link against any glibc version and includes the headers and
# libraries of each platform. A preset sets the target; scripts/release.mjs passes the location of Zig.
set(CMAKE_TRY_COMPILE_PLATFORM_VARIABLES MM_PTX_ZIG MM_PTX_ZIG_TARGET)

if(NOT MM_PTX_ZIG_TARGET MATCHES "^([a-z0-9_]+)-(linux|windows)-gnu[0-9.]*$")
  message(FATAL_ERROR "expected a target like x86_64-linux-gnu.2.28, found `${MM_PTX_ZIG_TARGET}`")
endif()
set(CMAKE_SYSTEM_PROCESSOR "${CMAKE_MATCH_1}")
if(CMAKE_MATCH_2 STREQUAL "windows")
  set(CMAKE_SYSTEM_NAME Windows)
else()
  set(CMAKE_SYSTEM_NAME Linux)
endif()

find_program(MM_PTX_ZIG zig)
if(NOT MM_PTX_ZIG)
  message(FATAL_ERROR "expected Zig in MM_PTX_ZIG or on PATH, found none; `npm run release` fetches it and uses this preset")
endif()
set(CMAKE_C_COMPILER "${MM_PTX_ZIG}" cc -target "${MM_PTX_ZIG_TARGET}")
set(CMAKE_CXX_COMPILER "${MM_PTX_ZIG}" c++ -target "${MM_PTX_ZIG_TARGET}")

# The build machine's own `ar` only knows its own object format, and CMake takes a single word for the command.
set(CMAKE_AR "${CMAKE_BINARY_DIR}/zig-ar")
file(WRITE "${CMAKE_AR}" "#!/bin/sh\nexec '${MM_PTX_ZIG}' ar \"$@\"\n")
file(CHMOD "${CMAKE_AR}" PERMISSIONS OWNER_READ OWNER_WRITE OWNER_EXECUTE)
set(CMAKE_RANLIB ":")

# CMake's checks of the compiler would otherwise link without optimization, for which Zig builds its C++ library a second
# time.
set(CMAKE_TRY_COMPILE_TARGET_TYPE STATIC_LIBRARY)
