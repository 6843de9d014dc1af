import type { ReadContext } from '../context.ts'

type Server = Pick<ReadContext, 'baseUrl'>

/** A cookie that only the server reads, and a browser sends to no page of somebody else's (`docs/decisions.md` 3.8). */
export interface OwnCookie {
  /** Its value in the header `Cookie`; empty: it is not there. */
  read(header: string | undefined, server: Server): string
  /** The value of `Set-Cookie` that leaves it for so many seconds; for none, and empty: that has it forgotten. */
  set(server: Server, value: string, seconds: number): string
}

export function ownCookie(name: string): OwnCookie {
  // A browser takes this prefix from the very host alone, over TLS, which a developer's own machine has not.
  const nameAt = (server: Server) => (isLocal(server) ? name : `__Host-${name}`)
  return {
    read(header, server) {
      const before = `${nameAt(server)}=`
      const pair = header?.split(';').find((text) => text.trimStart().startsWith(before))
      return pair?.slice(pair.indexOf('=') + 1).trim() ?? ''
    },
    set: (server, value, seconds) =>
      `${nameAt(server)}=${value}; Path=/; Max-Age=${seconds}; HttpOnly; SameSite=Lax${isLocal(server) ? '' : '; Secure'}`,
  }
}

const isLocal = ({ baseUrl }: Server) => /^http:\/\/(localhost|127\.0\.0\.1|\[::1\])(:\d+)?$/.test(baseUrl)
