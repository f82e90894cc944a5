# Prints the windows that the window manager knows, the lowest first: whether it is active, "X Y WIDTH HEIGHT", title; a NUL
# behind each. One that was closed meanwhile is left out.
list=$(xprop -root _NET_CLIENT_LIST_STACKING) || exit
active=$(xdotool getactivewindow 2>/dev/null)
for window in $(printf '%s' "${list#*#}" | tr -d ,); do
  geometry=$(xdotool getwindowgeometry --shell "$window" 2>/dev/null | grep -E '^(X|Y|WIDTH|HEIGHT)=-?[0-9]+$') || continue
  eval "$geometry"
  # xdotool counts the frame of a window twice.
  frame=$(xprop -id "$window" _NET_FRAME_EXTENTS | sed -n 's/.*= \([0-9]*\), [0-9]*, \([0-9]*\), [0-9]*$/\1 \2/p')
  [ -n "$frame" ] && X=$((X - ${frame% *})) Y=$((Y - ${frame#* }))
  [ "$((window))" = "$active" ] && is=1 || is=0
  printf '%s\0%s %s %s %s\0%s\0' "$is" "$X" "$Y" "$WIDTH" "$HEIGHT" "$(xdotool getwindowname "$window" 2>/dev/null)"
done
