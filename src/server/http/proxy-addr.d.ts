declare module 'proxy-addr' {
  import type { IncomingMessage } from 'node:http'

  type IsTrusted = (address: string, index: number) => boolean

  interface ProxyAddress {
    /** The address of the client, or of the first proxy that is not trusted. */
    (req: IncomingMessage, isTrusted: IsTrusted): string | undefined
    /** Throws TypeError for anything but addresses and networks. */
    compile(trusted: readonly string[]): IsTrusted
  }

  const proxyAddress: ProxyAddress
  export default proxyAddress
}
