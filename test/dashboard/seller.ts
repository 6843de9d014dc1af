import assert from 'node:assert/strict'
import type { TestContext as T } from 'node:test'
import type { BrowserContextOptions, Request } from 'playwright-core'
import { transaction } from '../../src/context.ts'
import { issueSignInLink } from '../../src/accounts/sessions/mailed-sign-in.ts'
import { createDeveloper } from '../../src/accounts/developers/service.ts'
import { insertMember } from '../../src/accounts/team/member-rows.ts'
import type { Role } from '../../src/access/roles.ts'
import { startServer } from '../../src/start.ts'
import { demoContext } from '../demo.ts'
import { built } from '../web/built.ts'
import { sharedBrowser } from '../web/browser.ts'
import { watched, type Watched } from '../web/watched.ts'

export type SellerApp = Awaited<ReturnType<typeof startSellerApp>>

/** A server with built pages and the demo's year of data, which its owner and members of its team open. */
export async function startSellerApp(name: string) {
  await built()
  const { ctx, demo, drop } = await demoContext(name)
  const running = await startServer(ctx)
  Object.assign(ctx, { baseUrl: running.address })
  const { address } = running
  const { developerId, productId } = demo
  const browser = await sharedBrowser()

  /** The value of the cookie of a person that a link lets in. */
  async function sessionOf(personId: number): Promise<string> {
    ctx.clock.advance(1_000)
    const link = (await issueSignInLink(ctx, personId, address)) ?? assert.fail('has two-factor')
    const entered = await fetch(link, { method: 'POST', redirect: 'manual' })
    assert.equal(entered.status, 303)
    return /keywright_session=([\w-]+)/.exec(entered.headers.get('set-cookie') ?? '')?.[1] ?? ''
  }
  const session = await sessionOf(developerId)

  /** A page of the dashboard in which a person is signed in, the owner by default; its clock is that of the server. */
  async function signedIn(t: T, value = session): Promise<Watched> {
    const opened = await enter(value)
    t.after(() => opened.close())
    return opened
  }

  /** As `signedIn`, and whoever asks for it closes it. */
  async function enter(value = session, options: BrowserContextOptions = {}): Promise<Watched> {
    const opened = await watched(browser, { origins: [address], ...options })
    await prepare(opened, { value, address, now: ctx.clock.real() })
    return opened
  }

  return {
    ctx,
    demo,
    address,
    /** Of the owner. */
    session,
    sessionOf,
    refusalsKept: () => running.server.frame.refusals.flush(),
    /** Breaks off whatever is open to the server, as a network does that is gone for a moment. */
    breakOff: () => running.server.server.closeAllConnections(),
    signedIn,
    enter,
    pathOf: (page: string) => `${address}/dashboard/${developerId}/${page}`,
    product: `${address}/dashboard/${developerId}/${productId}`,
    /** Opens a page of the product, whose title is there. */
    async at(t: T, path: string, title: string | RegExp, value = session): Promise<Watched> {
      const opened = await signedIn(t, value)
      await opened.page.goto(`${address}/dashboard/${developerId}/${productId}/${path}`)
      await opened.page.getByRole('heading', { level: 1, name: title }).waitFor()
      return opened
    },
    async close() {
      await running.stop()
      await drop()
    },
  }
}

interface Entering {
  readonly value: string
  readonly address: string
  readonly now: number
}

/** Gives a page the cookie of a session and the time of the server; what it writes without the CSRF header is a fault. */
async function prepare({ page, faults }: Watched, { value, address, now }: Entering): Promise<void> {
  page.on('request', (request) => {
    if (isUnproven(request, address)) faults.push(`wrote ${request.url()} without the CSRF header`)
  })
  await page.context().addCookies([cookieOf(value, address)])
  await page.clock.setFixedTime(now)
}

/** Whether a page writes with its cookie alone, as a page of another origin could have it do. */
const isUnproven = (request: Request, address: string) =>
  request.method() !== 'GET' &&
  request.url().startsWith(`${address}/v1/`) &&
  !/\/(login|logout)\.json$/.test(request.url()) &&
  !request.headers()['x-keywright-csrf']

const cookieOf = (value: string, url: string) =>
  ({ name: 'keywright_session', value, url, httpOnly: true, sameSite: 'Lax' }) as const

/** A member of the demo's team, who has accepted. */
export const joinTeam = ({ ctx, demo: { developerId } }: SellerApp, role: Role): Promise<number> =>
  transaction(ctx, async (tx) => {
    const email = `${role}@example.com`
    const person = { email, first: role, last: 'Member', passwordHash: null }
    const personId = await createDeveloper(tx, person)
    await insertMember(tx.db, {
      developer_id: developerId,
      person_id: personId,
      role,
      can_refund: false,
      invited_email: email,
      invited_first: role,
      invited_last: 'Member',
      accepted_at: tx.clock.now(),
      created: tx.clock.now(),
    } as Parameters<typeof insertMember>[1])
    return personId
  })
