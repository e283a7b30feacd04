"""The module's mechanisms and objects, by python-pkcs11. `cryptography` is the judge."""

import hashlib
import hmac
import os
from itertools import count, product
from math import gcd

import pytest
from cryptography.exceptions import InvalidSignature
from cryptography.hazmat.primitives import hashes, keywrap
from cryptography.hazmat.primitives.asymmetric import padding, rsa

from tests.pkcs11.ciphertexts import encrypted_within, nonzero, padded
from tests.pkcs11.place import Place
from tests.pkcs11.session import in_session
from totient.device.rsa_key import RsaKey
from totient.rsa.rejection import synthetic_message

HASHES = {
    "SHA1": hashes.SHA1(),
    "SHA224": hashes.SHA224(),
    "SHA256": hashes.SHA256(),
    "SHA384": hashes.SHA384(),
    "SHA512": hashes.SHA512(),
}


def test_every_signature_is_accepted(place: Place, private: rsa.RSAPrivateKey) -> None:
    message = os.urandom(1000)
    found = in_session(
        place,
        """
key, checker = private("imported"), public("imported")
data, results = bytes.fromhex(given["data"]), {}
for name in given["names"]:
    hash_ = Mechanism.SHA_1 if name == "SHA1" else Mechanism[name]
    for kind in ("RSA_PKCS", "RSA_PKCS_PSS"):
        named = {"mechanism": Mechanism[f"{name}_{kind}"]}
        if kind == "RSA_PKCS_PSS":
            named["mechanism_param"] = (hash_, MGF[name], 17)
        signature = key.sign(data, **named)
        wrong = bytes([*signature[:-1], signature[-1] ^ 1])
        results[f"{name} {kind}"] = (
            signature.hex(), key.sign(iter([data[:1], data[1:700], data[700:]]), **named).hex(),
            checker.verify(data, signature, **named), checker.verify(data, wrong, **named),
            checker.verify(data + b"x", signature, **named))
print(json.dumps(results))
""",
        data=message.hex(),
        names=list(HASHES),
    )
    public = private.public_key()
    assert len(found) == 10
    for name, (whole, parts, good, wrong, other) in found.items():
        assert (good, wrong, other) == (True, False, False), name
        chosen = HASHES[name.split()[0]]
        scheme: padding.AsymmetricPadding = padding.PKCS1v15()
        if "PSS" in name:
            scheme = padding.PSS(padding.MGF1(chosen), 17)
        for signature in (whole, parts):
            public.verify(bytes.fromhex(signature), message, scheme, chosen)
            with pytest.raises(InvalidSignature):
                public.verify(bytes.fromhex(signature), message + b"x", scheme, chosen)


def test_pss_has_one_1_before_its_salt(place: Place, private: rsa.RSAPrivateKey) -> None:
    """A block with another number in its place, and one with a number before it, are refused."""
    message, numbers = b"A message.", private.private_numbers()
    n, e, d = numbers.public_numbers.n, numbers.public_numbers.e, numbers.d
    good = private.sign(message, padding.PSS(padding.MGF1(hashes.SHA256()), 32), hashes.SHA256())
    block = pow(int.from_bytes(good), e, n)
    one = 8 * (1 + 32 + 32)  # the bits behind it: the last byte, the hash, the salt
    changed = [block, *(block ^ 2 << place for place in (one, one + 8, 8 * 200))]
    found = in_session(
        place,
        """
param = (Mechanism.SHA256, MGF.SHA256, 32)
print(json.dumps([public("imported").verify(
    b"A message.", bytes.fromhex(each), mechanism=Mechanism.SHA256_RSA_PKCS_PSS,
    mechanism_param=param) for each in given["signatures"]]))
""",
        signatures=[pow(each, d, n).to_bytes(256).hex() for each in changed],
    )
    assert found == [True, False, False, False]


def test_every_digest(place: Place) -> None:
    message = os.urandom(777)
    found = in_session(
        place,
        """
data = bytes.fromhex(given["data"])
print(json.dumps({name: session.digest(data, mechanism=Mechanism.SHA_1 if name == "SHA1" else
                                        Mechanism[name]).hex() for name in given["names"]}))
""",
        data=message.hex(),
        names=list(HASHES),
    )
    for name, digest in found.items():
        judge = hashes.Hash(HASHES[name])
        judge.update(message)
        assert digest == judge.finalize().hex(), name


def test_oaep_in_both_directions(place: Place, private: rsa.RSAPrivateKey) -> None:
    message, label, cases = b"A message.", b"label", {}
    for hash_name, mask_name in product(HASHES, ("SHA1", "SHA256")):
        scheme = padding.OAEP(padding.MGF1(HASHES[mask_name]), HASHES[hash_name], label)
        cases[f"{hash_name} {mask_name}"] = private.public_key().encrypt(message, scheme).hex()
    found = in_session(
        place,
        """
results = {}
for name, ciphertext in given["cases"].items():
    hash_name, mask_name = name.split()
    param = (Mechanism.SHA_1 if hash_name == "SHA1" else Mechanism[hash_name], MGF[mask_name],
             bytes.fromhex(given["label"]))
    named = {"mechanism": Mechanism.RSA_PKCS_OAEP, "mechanism_param": param}
    data = bytes.fromhex(ciphertext)
    bad = bytes([*data[:-1], data[-1] ^ 1])
    results[name] = (private("imported").decrypt(data, **named).hex(),
                     public("imported").encrypt(b"back", **named).hex(),
                     error(private("imported").decrypt, bad, **named))
print(json.dumps(results))
""",
        cases=cases,
        label=label.hex(),
    )
    for name, (decrypted, encrypted, wrong) in found.items():
        assert decrypted == message.hex()
        assert wrong == "EncryptedDataInvalid"
        hash_name, mask_name = name.split()
        scheme = padding.OAEP(padding.MGF1(HASHES[mask_name]), HASHES[hash_name], label)
        assert private.decrypt(bytes.fromhex(encrypted), scheme) == b"back"


def test_a_number_without_padding_is_below_the_modulus(
    place: Place, private: rsa.RSAPrivateKey
) -> None:
    """The device refuses n; its error has another name for each operation."""
    numbers = private.private_numbers()
    n, size = numbers.public_numbers.n, private.key_size // 8
    found = in_session(
        place,
        """
raw = {"mechanism": Mechanism.RSA_X_509}
n, below = (bytes.fromhex(given[name]) for name in ("n", "below"))
print(json.dumps([private("imported").sign(below, **raw).hex(),
                  error(private("imported").sign, n, **raw),
                  error(private("imported").decrypt, n, **raw),
                  error(public("imported").encrypt, n, **raw)]))
""",
        n=f"{n:x}",
        below=f"{n - 2:0{2 * size}x}",
    )
    signature, *errors = found
    assert int(signature, 16) == pow(n - 2, numbers.d, n)
    assert errors == ["DataInvalid", "EncryptedDataInvalid", "DataInvalid"]


def test_a_ciphertext_may_lack_leading_zero_bytes(place: Place, private: rsa.RSAPrivateKey) -> None:
    """That of an OpenPGP message does, and GnuPG passes on what it has."""
    size = private.key_size // 8
    scheme = padding.PKCS1v15()
    short, bad = (
        encrypted_within(private, block, private.key_size - 8)
        for block in (lambda: padded(b"right", size), lambda: b"\3" + nonzero(size - 2))
    )
    assert private.decrypt(short.rjust(size, b"\0"), scheme) == b"right"
    found = in_session(
        place,
        """
key = private("imported")
short, bad = (bytes.fromhex(given[name]) for name in ("short", "bad"))
pkcs, raw = {"mechanism": Mechanism.RSA_PKCS}, {"mechanism": Mechanism.RSA_X_509}
print(json.dumps([key.decrypt(short, **pkcs).hex(),
                  b"".join(key.decrypt(iter([short[:9], short[9:]]), **pkcs)).hex(),
                  key.decrypt(bad, **pkcs).hex(),
                  key.decrypt(bytes([7]), **raw).hex(),
                  error(key.decrypt, bytes(2) + short, **pkcs),
                  error(key.decrypt, b"", **pkcs)]))
""",
        short=short.hex(),
        bad=bad.hex(),
    )
    numbers = private.private_numbers()
    n, e, d = numbers.public_numbers.n, numbers.public_numbers.e, numbers.d
    rejected = synthetic_message(RsaKey(n, e, private_exponent=d), bad.rjust(size, b"\0"))
    assert found == [
        b"right".hex(),
        b"right".hex(),
        rejected.hex(),
        pow(7, d, n).to_bytes(size).hex(),
        "EncryptedDataLenRange",
        "EncryptedDataLenRange",
    ]


def too_long_last(key: RsaKey, ciphertext: bytes) -> bool:
    """Whether the last length that is no more than the bound of all lengths is this bound."""
    bound = key.octets - 10
    secret = hashlib.sha256(key.d.to_bytes(key.octets)).digest()
    derivation = hmac.digest(secret, ciphertext, "sha256")
    bits = (8 * 256).to_bytes(2)
    blocks = (
        hmac.digest(derivation, block.to_bytes(2) + b"length" + bits, "sha256")
        for block in range(8)
    )
    low = b"".join(blocks)[1::2]  # lengths have 8 bits
    return [each for each in low if each <= bound][-1] == bound


def test_bad_padding_gives_the_message_of_implicit_rejection(
    place: Place, private: rsa.RSAPrivateKey
) -> None:
    """No error, and the same message as the tool and OpenSSL 3.2 give: it says nothing."""
    numbers = private.private_numbers()
    n, e = numbers.public_numbers.n, numbers.public_numbers.e
    key = RsaKey(n, e, private_exponent=numbers.d)
    blocks = {
        "no 0": b"\0\2" + b"\1" * 254,
        "short padding": b"\0\2" + b"\1" * 7 + b"\0" + b"x" * 246,
        "type 1": b"\0\1" + b"\xff" * 200 + b"\0" + b"x" * 53,
        "first byte": b"\1\2" + b"\7" * 200 + b"\0" + b"x" * 53,
        "empty": b"\0\2" + b"\7" * 253 + b"\0",
        "good": b"\0\2" + b"\7" * 200 + b"\0" + b"x" * 53,
        "shortest padding": b"\0\2" + b"\7" * 8 + b"\0" + b"x" * 245,
    }
    ciphertexts = {
        name: pow(int.from_bytes(block), e, n).to_bytes(256) for name, block in blocks.items()
    }
    ciphertexts["a length just too long"] = next(
        each for number in count(2) if too_long_last(key, each := number.to_bytes(256))
    )
    found = in_session(
        place,
        """
def decrypt(data):
    return private("imported").decrypt(bytes.fromhex(data), mechanism=Mechanism.RSA_PKCS).hex()

print(json.dumps({name: decrypt(data) for name, data in given["data"].items()}))
""",
        data={name: data.hex() for name, data in ciphertexts.items()},
    )
    expected = {name: synthetic_message(key, data) for name, data in ciphertexts.items()}
    expected |= {"empty": b"", "good": b"x" * 53, "shortest padding": b"x" * 245}
    assert {name: bytes.fromhex(data) for name, data in found.items()} == expected


def test_a_key_stays_sensitive_and_inside(place: Place) -> None:
    found = in_session(
        place,
        """
names = ("SENSITIVE", "EXTRACTABLE", "ALWAYS_SENSITIVE", "NEVER_EXTRACTABLE", "LOCAL", "PRIVATE")
results = {}
for label in ("imported", "born"):
    key = private(label)
    results[label] = [key[Attribute[name]] for name in names]
    for attribute in ("PRIVATE_EXPONENT", "PRIME_1", "COEFFICIENT"):
        results[f"{label} {attribute}"] = error(key.__getitem__, Attribute[attribute])
    for attribute, value in (("SENSITIVE", False), ("EXTRACTABLE", True),
                             ("LOCAL", not key[Attribute.LOCAL]),
                             ("ALWAYS_SENSITIVE", not key[Attribute.ALWAYS_SENSITIVE]),
                             ("MODULUS", b"1"), ("CLASS", ObjectClass.DATA)):
        results[f"{label} set {attribute}"] = error(key.__setitem__, Attribute[attribute], value)
    copied = error(key.copy, {Attribute.TOKEN: False, Attribute.SENSITIVE: False})
    results[f"{label} copy"] = copied or error(key.copy, {Attribute.TOKEN: False,
                                                         Attribute.EXTRACTABLE: True})
print(json.dumps(results))
""",
    )
    assert found.pop("imported") == [True, False, False, False, False, True]
    assert found.pop("born") == [True, False, True, True, True, True]
    for name, answer in found.items():
        read = "set" not in name and "copy" not in name
        assert answer == ("AttributeSensitive" if read else "AttributeReadOnly"), name


def test_a_public_exponent_is_odd_and_no_1(place: Place) -> None:
    found = in_session(
        place,
        """
print(json.dumps([error(session.generate_keypair, KeyType.RSA, 1024,
                        public_template={Attribute.PUBLIC_EXPONENT: bytes([each])})
                  for each in given["exponents"]]))
""",
        exponents=[0, 1, 2, 4, 3],
    )
    assert found == ["AttributeValueInvalid"] * 4 + [""]


def test_a_backup_by_key_wrap(own: Place) -> None:
    """An extractable key leaves encrypted, `cryptography` reads it, and it comes back."""
    assert own.totient("generate", "--bits", 1024, "--label", "movable", "--extractable").good
    wrapping = os.urandom(32)
    found = in_session(
        own,
        """
with_ = session.create_object({Attribute.CLASS: ObjectClass.SECRET_KEY,
    Attribute.KEY_TYPE: KeyType.AES, Attribute.VALUE: bytes.fromhex(given["key"]),
    Attribute.WRAP: True, Attribute.UNWRAP: True, Attribute.TOKEN: False})
results = {"refused": error(with_.wrap_key, private("born"), mechanism=Mechanism.AES_KEY_WRAP_PAD)}
wrapped = with_.wrap_key(private("movable"), mechanism=Mechanism.AES_KEY_WRAP_PAD)
results["wrapped"] = wrapped.hex()
template = {Attribute.TOKEN: False, Attribute.LABEL: "back", Attribute.SIGN: True}
def unwrap(data):
    return with_.unwrap_key(ObjectClass.PRIVATE_KEY, KeyType.RSA, data, template=template,
                            capabilities=MechanismFlag.SIGN, mechanism=Mechanism.AES_KEY_WRAP_PAD)
back = unwrap(wrapped)
signature = back.sign(b"data", mechanism=Mechanism.SHA256_RSA_PKCS)
results["same"] = public("movable").verify(b"data", signature,
                                           mechanism=Mechanism.SHA256_RSA_PKCS)
names = ("SENSITIVE", "EXTRACTABLE", "ALWAYS_SENSITIVE", "NEVER_EXTRACTABLE", "LOCAL")
results["flags"] = [back[Attribute[name]] for name in names]
results["before"] = [private("movable")[Attribute[name]] for name in names]
results["damaged"] = error(unwrap, wrapped[:-1] + bytes([wrapped[-1] ^ 1]))
results["short"] = error(unwrap, wrapped[:-8])
print(json.dumps(results))
""",
        key=wrapping.hex(),
    )
    assert found["refused"] == "KeyUnextractable"
    assert found["same"] is True
    assert found["flags"] == [True, False, False, False, False]
    assert found["before"] == [True, True, True, False, True]
    assert found["damaged"] == found["short"] == "WrappedKeyInvalid"
    plain = keywrap.aes_key_unwrap_with_padding(wrapping, bytes.fromhex(found["wrapped"]))
    done = own.run("openssl", "rsa", "-inform", "DER", "-check", "-noout", stdin=plain)
    assert done.text == "RSA key ok\n"


@pytest.mark.parametrize("length", [16, 24, 32])
def test_key_wrap_is_that_of_the_standard(place: Place, length: int) -> None:
    key, inner = os.urandom(32), os.urandom(length)
    found = in_session(
        place,
        """
def secret(value):
    return session.create_object({Attribute.CLASS: ObjectClass.SECRET_KEY,
        Attribute.KEY_TYPE: KeyType.AES, Attribute.VALUE: bytes.fromhex(value),
        Attribute.WRAP: True, Attribute.UNWRAP: True, Attribute.EXTRACTABLE: True,
        Attribute.TOKEN: False})
print(json.dumps([secret(given["key"]).wrap_key(secret(given["inner"]), mechanism=mechanism).hex()
                  for mechanism in (Mechanism.AES_KEY_WRAP, Mechanism.AES_KEY_WRAP_PAD)]))
""",
        key=key.hex(),
        inner=inner.hex(),
    )
    assert found[0] == keywrap.aes_key_wrap(key, inner).hex()
    assert found[1] == keywrap.aes_key_wrap_with_padding(key, inner).hex()


def test_keys_that_cannot_be_are_refused(place: Place, private: rsa.RSAPrivateKey) -> None:
    """Numbers that do not belong together: the token does not store them."""
    n = private.private_numbers()
    good = {
        "MODULUS": n.public_numbers.n,
        "PUBLIC_EXPONENT": n.public_numbers.e,
        "PRIVATE_EXPONENT": n.d,
        "PRIME_1": n.p,
        "PRIME_2": n.q,
        "EXPONENT_1": n.dmp1,
        "EXPONENT_2": n.dmq1,
        "COEFFICIENT": n.iqmp,
    }
    cases = {"good": good, **{name: {**good, name: good[name] ^ 4} for name in good}}
    cases["even"] = {**good, "MODULUS": n.public_numbers.n - 1}
    twice = {"MODULUS": n.p**2, "PRIME_2": n.p, "EXPONENT_2": n.dmp1, "COEFFICIENT": 1}
    even, e = n.public_numbers.n - 1, 65537
    cases["p is 1"] = {**good, "PRIME_1": 1, "PRIME_2": n.public_numbers.n, "COEFFICIENT": 0}
    one = {"PRIME_1": n.public_numbers.n, "PRIME_2": 1, "COEFFICIENT": 1, "EXPONENT_2": 0}
    cases["q is 1"] = {**good, **one, "PRIVATE_EXPONENT": 1, "EXPONENT_1": 1, "PUBLIC_EXPONENT": 1}
    if gcd(e, even) == 1:
        d = pow(e, -1, even)
        cases["q is 1, e is not"] = {**good, **one, "PRIVATE_EXPONENT": d, "EXPONENT_1": d}
    exponents = ("PUBLIC_EXPONENT", "PRIVATE_EXPONENT", "EXPONENT_1", "EXPONENT_2")
    cases["e is 1"] = {**good, **dict.fromkeys(exponents, 1)}
    short = ("MODULUS", "PRIVATE_EXPONENT")
    for wrong in (0, 1, 2, 65536):
        cases[f"no primes, e is {wrong}"] = {
            "PUBLIC_EXPONENT": wrong,
            **{name: good[name] for name in short},
        }
    cases["equal primes"] = {**good, **twice, "PRIVATE_EXPONENT": n.dmp1}
    cases["without d"] = {name: good[name] for name in good if name != "PRIVATE_EXPONENT"}
    cases["without q"] = {name: good[name] for name in good if name != "PRIME_2"}
    found = in_session(
        place,
        """
def create(numbers):
    values = {Attribute[name]: bytes.fromhex(value) for name, value in numbers.items()}
    session.create_object({Attribute.CLASS: ObjectClass.PRIVATE_KEY,
        Attribute.KEY_TYPE: KeyType.RSA, Attribute.TOKEN: False, **values})
print(json.dumps({name: error(create, numbers) for name, numbers in given["cases"].items()}))
""",
        cases={
            name: {each: value.to_bytes(256).hex() for each, value in numbers.items()}
            for name, numbers in cases.items()
        },
    )
    assert found.pop("good") == ""
    assert found.pop("without d") == "TemplateIncomplete"
    assert set(found.values()) == {"AttributeValueInvalid"}, found


def test_a_key_of_another_object_is_not_used(place: Place) -> None:
    """An object with the public half of a key that the device holds, and another private half."""
    found = in_session(
        place,
        """
key = private("born")
wanted = {"mechanism": Mechanism.SHA256_RSA_PKCS}
signature = key.sign(b"data", **wanted)
other = session.create_object({Attribute.CLASS: ObjectClass.PRIVATE_KEY,
    Attribute.KEY_TYPE: KeyType.RSA, Attribute.TOKEN: False, Attribute.PRIVATE: False,
    Attribute.MODULUS: key[Attribute.MODULUS], Attribute.SIGN: True,
    Attribute.PUBLIC_EXPONENT: key[Attribute.PUBLIC_EXPONENT],
    Attribute.PRIVATE_EXPONENT: b"\\x11" * 128})
print(json.dumps([error(other.sign, b"data", **wanted), signature == key.sign(b"data", **wanted)]))
""",
    )
    assert found == ["DeviceError", True]


def test_the_device_is_opened_again_after_the_module_was_finalized(place: Place) -> None:
    found = in_session(
        place,
        """
signatures = [private("imported").sign(b"once", mechanism=Mechanism.SHA256_RSA_PKCS).hex()]
session.close()
library.reinitialize()
session = next(library.get_tokens()).open(user_pin=sys.argv[2])
signatures += [private("imported").sign(b"once", mechanism=Mechanism.SHA256_RSA_PKCS).hex()]
print(json.dumps(signatures))
""",
    )
    assert found[0] == found[1]
