/** What ssh2 does not export: its SFTP over a wire of one's own. */
declare module 'ssh2/lib/protocol/SFTP.js' {
  import type { SFTPWrapper } from 'ssh2'

  export interface WiredSftp extends SFTPWrapper {
    /** Takes what came; null at the end. */
    push(chunk: Buffer | null): void
    /** Greets the server. */
    _init(): void
  }
  const all: { SFTP: new (client: object, channel: object, options: object) => WiredSftp }
  export default all
}
