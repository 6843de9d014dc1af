import type { ReadContext } from '../context.ts'

type Server = Pick<ReadContext, 'baseUrl'>

/** A cookie that only the server reads, and a browser sends to no page of somebody else's (`docs/decisions.md` 3.8). */
export interface OwnCookie {
  /** Its value in the header `Cookie`; empty: it is not there. */
  read(header: string | undefined, server: Server): string
  /** The value of `Set-Cookie` that leaves it for so many seconds; for none, and empty: that has it forgotten. */
  set(server: Server, value: string, seconds: number): string
}

/** How a browser sends a cookie: to pages of its own alone, or to those that stand in a frame of another site too. */
type Where = 'own' | 'framed'

const SITES: Readonly<Record<Where, string>> = {
  own: 'SameSite=Lax',
  // Each site that holds the frame has a cookie of its own, which no other one sends (`docs/portal.md`).
  framed: 'SameSite=None; Partitioned',
}

/** `framed`: for pages in a frame of another site; a browser takes it over TLS, or of its own machine, alone. */
export function ownCookie(name: string, where: Where = 'own'): OwnCookie {
  const isSecure = (server: Server) => where === 'framed' || !isLocal(server)
  // A browser takes this prefix from the very host alone, over TLS, which a developer's own machine has not.
  const nameAt = (server: Server) => (isLocal(server) ? name : `__Host-${name}`)
  return {
    read(header, server) {
      const before = `${nameAt(server)}=`
      const pair = header?.split(';').find((text) => text.trimStart().startsWith(before))
      return pair?.slice(pair.indexOf('=') + 1).trim() ?? ''
    },
    set: (server, value, seconds) =>
      `${nameAt(server)}=${value}; Path=/; Max-Age=${seconds}; HttpOnly; ${SITES[where]}${isSecure(server) ? '; Secure' : ''}`,
  }
}

const isLocal = ({ baseUrl }: Server) => /^http:\/\/(localhost|127\.0\.0\.1|\[::1\])(:\d+)?$/.test(baseUrl)
