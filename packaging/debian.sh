# fetch ARCHITECTURE STATUS FOLDER PACKAGE...: unpack packages of Debian into FOLDER, with those they depend on except the ones
# that the list STATUS names as installed. Nothing is installed, and no root is needed. Scripts that `set -eu` source this file.

fetch() {
    arch=$1 status=$2 folder=$3
    shift 3
    test ! -e "$folder.done" || return 0
    command -v apt-get > /dev/null || { echo "$0: it takes packages of Debian; there is no apt-get here" >&2; exit 1; }
    state=$folder.apt
    mkdir -p "$state/lists/partial" "$state/archives/partial" "$folder"
    own="-qq -o APT::Architecture=$arch -o APT::Architectures::=$arch -o APT::Sandbox::User= -o Debug::NoLocking=1
        -o Dir::State=$state -o Dir::State::lists=$state/lists -o Dir::State::status=$status -o Dir::Cache=$state"
    # shellcheck disable=SC2086 # these are several words
    apt-get $own update
    # shellcheck disable=SC2086
    apt-get $own install --yes --download-only --no-install-recommends "$@"
    for package in "$state"/archives/*.deb; do dpkg-deb -x "$package" "$folder"; done
    rm -rf "$state"
    touch "$folder.done"
}
