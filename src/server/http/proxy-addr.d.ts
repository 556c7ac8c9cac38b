declare module 'proxy-addr' {
  import type { IncomingMessage } from 'node:http'

  type IsTrusted = (address: string, index: number) => boolean

  /** Throws TypeError for anything but addresses and networks. */
  export const compile: (trusted: readonly string[]) => IsTrusted

  /** The address of the client, or of the last proxy before it that is not trusted. */
  const proxyAddress: (req: IncomingMessage, isTrusted: IsTrusted) => string | undefined
  export default proxyAddress
}
