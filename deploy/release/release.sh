#!/bin/sh
# Makes a release of the commit that is checked out: builds it twice in different folders and compares the bytes, lists its
# libraries (SBOM), checks their licences and known vulnerabilities, and packs it with signed checksums.
#
#   deploy/release/release.sh --key FILE [--to FOLDER] [--without-advisories]
#
#   --key FILE             the SSH key to sign with (ssh-keygen -t ed25519); its public half is FILE.pub
#   --to FOLDER            where the release goes; default: target/release
#   --without-advisories   do not ask OSV for known vulnerabilities, where it cannot be reached
#
# To verify a release:
#   ssh-keygen -Y verify -f allowed_signers -I NAME -n holdfast-release -s SHA256SUMS.sig <SHA256SUMS && sha256sum -c SHA256SUMS

set -eu

say() { printf 'release: %s\n' "$*" >&2; }
fail() { say "$@"; exit 1; }

key=
to=
advisories=ask
while [ $# -gt 0 ]; do
    case $1 in
    --key | --to)
        [ $# -gt 1 ] || fail "$1 needs a value"
        case $1 in --key) key=$2 ;; *) to=$2 ;; esac
        shift 2
        ;;
    --without-advisories)
        advisories=skip
        shift
        ;;
    *) fail "unknown argument: $1" ;;
    esac
done
here=$(CDPATH='' cd -P -- "$(dirname -- "$0")" && pwd)
root=$(CDPATH='' cd -P -- "$here/../.." && pwd)
[ -n "$key" ] || fail "--key FILE is missing: the SSH key to sign with"
[ -f "$key" ] && [ -f "$key.pub" ] || fail "no key pair at $key and $key.pub; make one: ssh-keygen -t ed25519 -f $key"
[ -z "$(git -C "$root" status --porcelain --untracked-files=no)" ] || fail "there are changes that are not committed"
commit=$(git -C "$root" rev-parse --short=12 HEAD)
version=$(sed -n 's:^  <version>\(.*\)</version>:\1:p' "$root/pom.xml" | head -n 1)
name=holdfast-$version-$commit
to=${to:-$root/target/release}
mkdir -p "$to"
work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT

# Builds the commit in folder $1 and writes the checksums of its jars, by their names, to $1.sums.
build() {
    say "building in $1"
    git clone -q --no-hardlinks "$root" "$1"
    git -C "$1" checkout -q "$commit"
    "$1/holdfast" mvn -B -q -pl broker,cli -am -Dmaven.test.skip=true -Djacoco.skip=true -Dholdfast.unchecked=true \
        package >"$1.log" 2>&1 || { tail -n 30 "$1.log" >&2; fail "the build failed"; }
    (cd "$1" && find broker/target/lib cli/target/lib -name '*.jar' -exec sha256sum {} + | sort -k 2) >"$1.sums"
}

build "$work/first"
build "$work/another-folder"
cmp -s "$work/first.sums" "$work/another-folder.sums" || {
    diff "$work/first.sums" "$work/another-folder.sums" >&2 || :
    fail "two builds of $commit differ; nothing was released"
}
say "two builds of $commit are equal: $(wc -l <"$work/first.sums") jars"

"$work/first/holdfast" mvn -B -q org.cyclonedx:cyclonedx-maven-plugin:makeAggregateBom >"$work/sbom.log" 2>&1 ||
    { tail -n 30 "$work/sbom.log" >&2; fail "no SBOM"; }
sbom=$work/first/target/holdfast-sbom.json
[ -s "$sbom" ] || fail "no SBOM at $sbom"
java_home=$("$work/first/holdfast" mvn -v | sed -n 's/.*runtime: //p')
"$java_home/bin/java" -cp "$work/first/cli/target/lib/*" "$here/Libraries.java" "$sbom" "$here/licences.txt" "$advisories"

mkdir -p "$work/$name/bin" "$work/$name/lib"
cp "$work/first/holdfast" "$work/$name/bin/"
cp -R "$work/first/broker/target/lib" "$work/$name/lib/broker"
cp -R "$work/first/cli/target/lib" "$work/$name/lib/cli"
cp -R "$work/first/docs" "$work/first/LICENSE" "$work/first/README.md" "$work/first/deploy" "$work/$name/"
cp "$sbom" "$work/$name/holdfast-sbom.json"
when=$(git -C "$root" show -s --format=%ct HEAD)
tar -C "$work" --sort=name --mtime="@$when" --owner=0 --group=0 --numeric-owner --mode=u=rwX,go=rX -cf - "$name" |
    gzip -n -9 >"$to/$name.tar.gz"
cp "$sbom" "$to/$name-sbom.json"
(cd "$to" && sha256sum "$name.tar.gz" "$name-sbom.json" >SHA256SUMS)
rm -f "$to/SHA256SUMS.sig"
ssh-keygen -q -Y sign -f "$key" -n holdfast-release "$to/SHA256SUMS"
say "$to/$name.tar.gz, with its SBOM, SHA256SUMS and SHA256SUMS.sig"
