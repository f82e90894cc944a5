# Ubuntu since 23.10 allows user namespaces to known programs only; Chromium's sandbox needs one.
abi <abi/4.0>,
include <tunables/global>

profile paddock-app "/opt/Paddock/paddock-app" flags=(unconfined) {
  userns,

  include if exists <local/paddock-app>
}
