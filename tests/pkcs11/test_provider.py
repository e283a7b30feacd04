"""Our provider of OpenSSL: keys by URIs and PEM files, errors, forks, threads, a new daemon."""

import base64
import os
import ssl
import sys
from pathlib import Path
from subprocess import PIPE, Popen

import pytest

from tests.pkcs11.openssl import KEY, certify, provider_configuration
from tests.pkcs11.parts import HERE, headers
from tests.pkcs11.place import Both, Place, served
from tests.programs import DRIVER, INCLUDE, SANITIZERS, WARNINGS, gcc

SIGNED, EXCHANGED = "ECDHE-RSA-AES128-GCM-SHA256", "AES128-GCM-SHA256"
"""Ciphers of TLS 1.2: the server signs, the server decrypts."""

THREAD_SANITIZER = ("-fsanitize=thread",)


def build(folder: Path, *options: str) -> tuple[Path, Path]:
    """The provider, and the program of checks."""
    common = ("-std=c99", "-g", "-O1", *WARNINGS, *options)
    library, program = folder / "provider.so", folder / "checks"
    sources = sorted((DRIVER / "provider").glob("*.c"))
    shared = ("-fPIC", "-shared", "-fvisibility=hidden", INCLUDE, *headers())
    libraries = ("-lcrypto", "-lp11-kit", "-ldl", "-lpthread")
    gcc(*common, *shared, *sources, "-o", library, *libraries)
    gcc(*common, HERE / "provider" / "checks.c", "-o", program, "-lcrypto", "-lpthread")
    return library, program


@pytest.fixture(scope="module")
def sanitized(tmp_path_factory: pytest.TempPathFactory) -> tuple[Path, Path]:
    """Provider and program under sanitizers of addresses and of undefined behaviour."""
    return build(tmp_path_factory.mktemp("provider"), *SANITIZERS)


@pytest.fixture(scope="module")
def plain(tmp_path_factory: pytest.TempPathFactory) -> tuple[Path, Path]:
    """The same without sanitizers."""
    return build(tmp_path_factory.mktemp("provider"))


def configured(place: Place, folder: Path, library: Path) -> dict[str, str]:
    """The environment of a provider that is compiled for a test."""
    written = provider_configuration(place)
    ours = place.folder / "libtotient-provider.so"
    path = folder / "openssl.cnf"
    path.write_text(written.read_text().replace(str(ours), str(library)))
    return {"OPENSSL_CONF": str(path)}


@pytest.mark.parametrize("check", ["key", "signatures", "decryption", "premaster"])
def test_the_interface(
    place: Place, tmp_path: Path, sanitized: tuple[Path, Path], check: str
) -> None:
    library, program = sanitized
    assert place.run(program, check, KEY, env=configured(place, tmp_path, library)).good


def test_threads(place: Place, tmp_path: Path, sanitized: tuple[Path, Path]) -> None:
    """Verilator's own run-time library keeps a few bytes for each thread."""
    library, program = sanitized
    (tmp_path / "kept").write_text("leak:Verilated::catName\n")
    options = {"LSAN_OPTIONS": f"suppressions={tmp_path / 'kept'}"}
    environment = {**configured(place, tmp_path, library), **options}
    assert place.run(program, "threads", KEY, env=environment).good


@Both
def test_children(user: Place, tmp_path: Path, sanitized: tuple[Path, Path]) -> None:
    """What the module of the parent had is in a child's memory still: leaks are not looked for."""
    library, program = sanitized
    environment = {**configured(user, tmp_path, library), "ASAN_OPTIONS": "detect_leaks=0"}
    assert user.run(program, "forks", KEY, env=environment).good


@Both
def test_children_of_a_busy_process(user: Place, tmp_path: Path, plain: tuple[Path, Path]) -> None:
    """Another thread has the lock when they are born, and is not in them."""
    library, program = plain
    assert user.run(program, "busy_forks", KEY, env=configured(user, tmp_path, library)).good


@pytest.mark.slow
def test_threads_race_for_nothing(place: Place, tmp_path: Path) -> None:
    library, program = build(tmp_path, *THREAD_SANITIZER)
    environment = configured(place, tmp_path, library)
    assert place.run(program, "threads", KEY, env=environment).good


@pytest.mark.parametrize(
    ("uri", "reasons"),
    [
        ("pkcs11:object=nobody", ["not found: an object of this URI"] * 3),
        ("pkcs11:token=nobody", ["not found: a token of this URI, 1 slots have a token"] * 3),
        ("pkcs11:colour=red", ["not a URI of PKCS #11: it has an unknown attribute"] * 3),
        (
            "pkcs11:object=imported?pin-source=/nowhere",
            ["no PIN: /nowhere has none in its first line"] * 3,
        ),
        (
            "pkcs11:object=imported?pin-value=000000",
            ["no PIN: the token refuses it"]
            + ["no PIN: it was refused before, and is not tried again"] * 2,
        ),
    ],
)
def test_refusals(
    own: Place, tmp_path: Path, sanitized: tuple[Path, Path], uri: str, reasons: list[str]
) -> None:
    """Three tries in a process: a wrong PIN is told to the token once, as each try counts."""
    library, program = sanitized
    done = own.run(program, "refusal", uri, env=configured(own, tmp_path, library))
    assert done.text.splitlines() == reasons


@pytest.mark.slow
def test_the_configured_pin_is_not_the_last_try(own: Place, tmp_path: Path) -> None:
    environment = certify(own, tmp_path)
    for _ in range(9):
        assert own.tool("-O", pin="000000").status != 0
    sign = ("openssl", "dgst", "-sha256", "-sign", KEY, "-out", "signature", "certificate.pem")
    refused = own.run(*sign, env=environment)
    assert "the configured one is not told in the last try" in refused.err
    assert own.tool("-O").good
    assert own.run(*sign, env=environment).good


def strict(own: Place, folder: Path, library: Path) -> tuple[dict[str, str], str]:
    """The environment of a provider with the strict module, and the URI of a key there."""
    module = folder / "strict.so"
    path = f'-DMODULE="{own.module}"'
    gcc("-fPIC", "-shared", path, *headers(), HERE / "provider" / "strict_module.c", "-o", module)
    environment = configured(own, folder, library)
    file = Path(environment["OPENSSL_CONF"])
    file.write_text(file.read_text().replace(str(own.module), str(module)))
    serial = own.tool("-L").text.partition("serial num")[2].partition(":")[2].split()[0]
    return environment, f"{KEY};serial={serial}"


def test_the_configured_pin_is_not_told_to_one_of_several_tokens(
    own: Place, tmp_path: Path
) -> None:
    """A URI that both have names no token for the PIN; one with a serial number does."""
    environment, uri = strict(own, tmp_path, own.folder / "libtotient-provider.so")
    read = ("openssl", "pkey", "-noout", "-in")
    assert own.run(*read, uri, env=environment).good
    refused = own.run(*read, KEY, env=environment)
    assert "one is configured, and the URI names several tokens" in refused.err


def test_the_last_try_is_asked_for_at_each_use(
    own: Place, tmp_path: Path, plain: tuple[Path, Path]
) -> None:
    """The token's flags are those of now, not those of when the key was found."""
    library, program = plain
    made = ("--keypairgen", "--key-type", "rsa:1024", "--id", "07", "--always-auth")
    assert own.tool(*made, "--label", "guarded").good
    environment, uri = strict(own, tmp_path, library)
    guarded = uri.replace("id=%01", "id=%07")
    done = own.run(program, "last_try", guarded, env=environment).good
    assert "no PIN: the configured one is not told in the last try" in done.text.splitlines()


def test_a_child_initialises_the_module(
    own: Place, tmp_path: Path, plain: tuple[Path, Path]
) -> None:
    """Before its first call: another module may not tell it that it must."""
    library, program = plain
    environment, uri = strict(own, tmp_path, library)
    assert own.run(program, "forks", uri, env=environment).good


def test_a_file_with_the_uri_is_a_key(place: Place, tmp_path: Path) -> None:
    environment = certify(place, tmp_path)
    parsed = place.run("openssl", "asn1parse", "-in", "uri.pem").text
    assert ":PKCS#11 Provider URI v1.0" in parsed
    assert ";id=%01;object=imported;type=private" in parsed
    printed = place.run("openssl", "pkey", "-in", "uri.pem", "-noout", "-text", env=environment)
    assert printed.text.startswith("RSA private key of a token: (2048 bit)\npkcs11:serial=")
    public = [
        place.run("openssl", "pkey", "-in", name, "-pubout", env=environment).good.out
        for name in ("uri.pem", "key.pem")
    ]
    assert public[0] == public[1]


@pytest.mark.parametrize(
    "words",
    ["sha256 rsa_pss_saltlen:32", "sha1 rsa_pss_saltlen:20", "sha512 rsa_mgf1_md:sha1", "sha384 "],
)
def test_identifiers_of_pss_are_openssls(place: Place, tmp_path: Path, words: str) -> None:
    """A request for a certificate differs by the signature only, which has a random salt."""
    environment = certify(place, tmp_path)
    hash_name, _, option = words.partition(" ")
    options = ("-sigopt", "rsa_padding_mode:pss", *(("-sigopt", option) if option else ()))
    made = [
        place.run(
            *("openssl", "req", "-new", "-key", key, "-subj", "/CN=a", f"-{hash_name}", *options),
            *("-outform", "DER"),
            env=environment,
        ).good.out
        for key in ("uri.pem", "key.pem")
    ]
    assert made[0][:-256] == made[1][:-256]
    assert made[0] != made[1]


def test_other_keys_stay_with_openssl(place: Place, tmp_path: Path) -> None:
    """A key in a file, one that is generated, and a file that is no key."""
    environment = certify(place, tmp_path)
    same = place.run("openssl", "pkey", "-in", "key.pem", env=environment)
    assert same.good.out.startswith(b"-----BEGIN PRIVATE KEY-----")
    made = place.run("openssl", "genpkey", "-algorithm", "RSA", "-out", "new", env=environment)
    assert made.good
    assert (place.work / "new").read_text().startswith("-----BEGIN PRIVATE KEY-----")
    assert place.run("openssl", "pkey", "-in", "certificate.pem", env=environment).status == 1
    damaged = (place.work / "uri.pem").read_text().replace("MG", "MH", 1)
    (place.work / "damaged.pem").write_text(damaged)
    assert place.run("openssl", "pkey", "-in", "damaged.pem", env=environment).status == 1
    lines = (place.work / "uri.pem").read_text().splitlines()
    der = base64.b64decode("".join(lines[1:-1]))
    longer = bytes([der[0], der[1] + 2]) + der[2:] + b"\x05\0"
    more = [lines[0], base64.b64encode(longer).decode(), lines[-1]]
    (place.work / "damaged.pem").write_text("\n".join(more) + "\n")
    assert place.run("openssl", "pkey", "-in", "damaged.pem", env=environment).status == 1


def test_openssl_generates_a_key_in_the_token(own: Place, tmp_path: Path) -> None:
    environment = certify(own, tmp_path)
    made = own.run(
        *("openssl", "genpkey", "-algorithm", "RSA", "-propquery", "?provider=totient"),
        *("-pkeyopt", "bits:1024", "-pkeyopt", "pkcs11_uri:pkcs11:object=web;id=%77"),
        *("-out", "new.pem"),
        env=environment,
    )
    assert made.good
    listed = own.tool("-O", "--type", "privkey", "--id", "77").text
    assert "label:      web" in listed
    assert "never extractable" in listed
    (own.work / "message").write_bytes(os.urandom(99))
    sign = ("openssl", "dgst", "-sha256", "-sign", "new.pem", "-out", "signature", "message")
    assert own.run(*sign, env=environment).good
    public = own.run("openssl", "pkey", "-in", "new.pem", "-pubout", "-out", "p", env=environment)
    assert public.good
    verify = ("openssl", "dgst", "-sha256", "-verify", "p", "-signature", "signature", "message")
    assert own.run(*verify).text == "Verified OK\n"


def test_a_certificate_of_the_token(own: Place, tmp_path: Path) -> None:
    """Both the certificate and the key of a server come from the token."""
    environment = certify(own, tmp_path)
    der = ("openssl", "x509", "-in", "certificate.pem", "-outform", "DER", "-out", "certificate")
    assert own.run(*der).good
    stored = ("--write-object", "certificate", "--type", "cert", "--id", "01", "--label", "web")
    assert own.tool(*stored).good
    read = own.run("openssl", "x509", "-in", "pkcs11:object=web;type=cert", env=environment)
    assert read.good.out == (own.work / "certificate.pem").read_bytes()


def handshake(server: ssl.SSLContext, client: ssl.SSLContext) -> None:
    """Both ends of a connection, in one thread."""
    to_server, to_client = ssl.MemoryBIO(), ssl.MemoryBIO()
    ends = [
        server.wrap_bio(to_server, to_client, server_side=True),
        client.wrap_bio(to_client, to_server, server_hostname="localhost"),
    ]
    waiting = [True, True]
    while any(waiting):
        for number, end in enumerate(ends):
            try:
                end.do_handshake()
                waiting[number] = False
            except ssl.SSLWantReadError:
                pass


def serve_by_python(folder: Path) -> None:
    """A handshake for each line of the standard input, which has its ciphers."""
    server = ssl.SSLContext(ssl.PROTOCOL_TLS_SERVER)
    server.load_cert_chain(folder / "certificate.pem", folder / "uri.pem")
    server.set_ciphers(f"{SIGNED}:{EXCHANGED}")
    client = ssl.create_default_context(cafile=str(folder / "certificate.pem"))
    client.maximum_version = ssl.TLSVersion.TLSv1_2
    for line in sys.stdin:
        client.set_ciphers(line.strip())
        try:
            handshake(server, client)
            print("done", flush=True)
        except ssl.SSLError as error:
            print(error.reason, flush=True)


def test_python_serves_and_the_daemon_comes_back(own: Place, tmp_path: Path) -> None:
    """A key that was loaded before the daemon ended works when there is another one."""
    with served(own) as (place, _):
        environment = {**os.environ, **place.environment, **certify(place, tmp_path)}
        code = "import sys; from pathlib import Path; from tests.pkcs11 import test_provider as t; "
        code += "t.serve_by_python(Path(sys.argv[1]))"
        process = Popen(
            [sys.executable, "-c", code, str(place.work)],
            env=environment,
            stdin=PIPE,
            stdout=PIPE,
            text=True,
        )

        def ask(ciphers: str) -> str:
            assert process.stdin is not None
            assert process.stdout is not None
            print(ciphers, file=process.stdin, flush=True)
            return process.stdout.readline().strip()

        assert ask(SIGNED) == "done"
    with process:
        assert ask(SIGNED) != "done"
        for first, second in ((SIGNED, EXCHANGED), (EXCHANGED, SIGNED)):
            with served(own):
                assert ask(first) == "done"
                assert ask(second) == "done"
        assert process.stdin is not None
        process.stdin.close()


def test_wrong_arguments_of_the_command(own: Place) -> None:
    assert own.totient("openssl", "--module", "nowhere").refused == (
        "--module is nowhere, there is no such file"
    )
    (own.work / "pin").write_text("12\n")
    assert own.totient("openssl").refused == "the User PIN has 2 bytes, allowed are 4 to 255"
