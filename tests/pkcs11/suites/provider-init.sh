#!/bin/bash -e
# SPDX-License-Identifier: Apache-2.0
# In the place of tests/kryoptic-init.sh of pkcs11-provider: its suite "kryoptic" then has a token
# with a simulated engine. TOTIENT_NEW is a folder that `totient token init` has made. Keys on
# elliptic curves are replaced by RSA keys: they are generated all the same, and only the tests that
# use them as such fail.
export P11LIB=$TOTIENT_NEW/libtotient-pkcs11.so
export TOTIENT_TOKEN=$TOKDIR/totient
mkdir -p "$TOTIENT_TOKEN"
cp "$TOTIENT_NEW"/model.so "$TOTIENT_NEW"/config "$TOTIENT_TOKEN"
export TOKENLABEL="Totient Token" TOKENLABELURI="Totient%20Token"
pkcs11-tool --module "$P11LIB" --init-token --label "$TOKENLABEL" --so-pin "$PINVALUE" 2>&1
pkcs11-tool --module "$P11LIB" --so-pin "$PINVALUE" --login --login-type so --init-pin --pin "$PINVALUE" 2>&1
# trsa changes a copy of the file that KRYOPTIC_CONF names.
export TOKENCONFIGVARS="export TOTIENT_TOKEN=$TOTIENT_TOKEN KRYOPTIC_CONF=$TOTIENT_TOKEN/config"
export TESTPORT=34000
export SUPPORT_ALLOWED_MECHANISMS=1 SUPPORT_SYMMETRIC=0 SUPPORT_ML_DSA=0 SUPPORT_ML_KEM=0
export SUPPORT_X25519=0 SUPPORT_X448=0 SUPPORT_ED25519=0 SUPPORT_ED448=0
real_ptool=$(declare -f ptool)
eval "real_$real_ptool"
ptool() {
    real_ptool "${@/#--key-type=EC:*/--key-type=RSA:2048}"
}
