# Installed as /usr/share/platen/check-credentials
# Puts each encrypted credential aside that this machine cannot decrypt, and takes it back when the machine can: a cloned card
# has another machine ID, a restored /etc another key. systemd 254 to 258 starts no unit with such a credential in the folder.
# sh check-credentials [FOLDER]
cd "${1:-/etc/credstore.encrypted}" || exit 1
for file in platen.* unusable.platen.*; do
	[ -f "$file" ] || continue
	name=${file#unusable.}
	if cause=$(timeout 20 systemd-creds decrypt --name="$name" "$file" - 2>&1 >/dev/null); then
		wanted=$name
	else
		wanted=unusable.$name
		echo "The credential \"$name\" cannot be decrypted, so its target gets no password: $cause"
	fi
	[ "$file" = "$wanted" ] || mv -n "$file" "$wanted"
done
