# The prompt has the exit status of the command before it. No editing of lines: what is typed is written down as it is.
PS1='[$?] \u@\h:\w\$ '
set +o emacs +o vi
PS2=
set -o pipefail
