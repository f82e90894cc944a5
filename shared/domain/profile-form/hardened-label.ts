import { writeLabel } from './inherited-label.ts'

/** The run label of the default profile: every control on. For images that bring none of Paddock's. */
export const hardenedLabel = [
  'podman run --rm --interactive --tty --runtime krun --network pasta',
  '--annotation krun.use_passt=1 --annotation krun.ram_mib=8192 --annotation krun.cpus=4',
  '--cap-drop ALL --security-opt no-new-privileges --read-only --tmpfs /tmp:rw,noexec,nosuid,nodev,size=2048m --pids-limit 1024',
  '--user ai --userns keep-id:uid=1000,gid=1000',
  '--volume $HOME/.local/share/paddock/homes/default:/home/ai:z --volume $PWD:/home/ai/sandbox:z --workdir /home/ai/sandbox IMAGE',
].join(' ')

/** The same as an instruction. */
export const hardenedLabelInstruction = () => writeLabel(hardenedLabel)!
