#!/bin/bash
# SPDX-License-Identifier: Apache-2.0
# Runs p11test of SoftHSM 2.7.0 on a token with a simulated engine, each test in a process and with
# a token of its own. Requires libcppunit-dev.
#
#     p11test.sh SOURCE [TEST...]     SOURCE: SoftHSM's source, at the tag 2.7.0
set -eu
here=$(cd "$(dirname "$0")" && pwd)
source=$(cd "$1" && pwd)
shift
work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT
printf '1234\n' > "$work/pin"
printf '12345678\n' > "$work/so-pin"
totient token init --folder "$work/new" --pin-file "$work/pin" --so-pin-file "$work/so-pin" > /dev/null
printf '#define HAVE_PTHREAD_H 1\n' > "$work/config.h"
tests=("$source"/src/lib/test/*Tests*.cpp)
common=$source/src/lib/common
includes=(-I"$work" -I"$source/src/lib" -I"$source/src/lib/pkcs11" -I"$source/src/lib/test" -I"$common")
module=$work/new/libtotient-pkcs11.so
g++ -O0 -w -DHAVE_CONFIG_H -DP11_SHARED_LIBRARY="\"$module\"" "${includes[@]}" "${tests[@]}" \
    "$here/one_test.cpp" "$common/osmutex.cpp" "$common/log.cpp" -o "$work/p11test" -lcppunit -ldl
passed=0 all=0
for test in "${@:-$("$work/p11test")}"; do
    for name in $test; do
        cp -r "$work/new" "$work/token"
        all=$((all + 1))
        if TOTIENT_TOKEN=$work/token timeout 600 "$work/p11test" "$name" > "$work/printed" 2>&1; then
            passed=$((passed + 1))
            echo "passed $name"
        else
            echo "FAILED $name: $(grep -A4 '^1) ' "$work/printed" | tr '\n' ' ')"
        fi
        rm -rf "$work/token"
    done
done
echo "$passed passed, $((all - passed)) failed"
