import assert from 'node:assert/strict'
import type { TestContext as T } from 'node:test'
import type { Browser } from 'playwright-core'
import { transaction } from '../../src/context.ts'
import { issueSignInLink } from '../../src/accounts/sessions/mailed-sign-in.ts'
import { createDeveloper } from '../../src/accounts/developers/service.ts'
import { insertMember } from '../../src/accounts/team/member-rows.ts'
import type { Role } from '../../src/access/roles.ts'
import { startServer } from '../../src/start.ts'
import { demoContext } from '../demo.ts'
import { built } from '../web/built.ts'
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
  return {
    ctx,
    demo,
    address,
    pathOf: (page: string) => `${address}/dashboard/${developerId}/${page}`,
    product: `${address}/dashboard/${developerId}/${productId}`,
    async close() {
      await running.stop()
      await drop()
    },
    /** The value of the cookie of a person that a link lets in. */
    async sessionOf(personId: number): Promise<string> {
      ctx.clock.advance(1_000)
      const link = (await issueSignInLink(ctx, personId, address)) ?? assert.fail('has two-factor')
      const entered = await fetch(link, { method: 'POST', redirect: 'manual' })
      assert.equal(entered.status, 303)
      return /keywright_session=([\w-]+)/.exec(entered.headers.get('set-cookie') ?? '')?.[1] ?? ''
    },
    /** A member of the demo's team, who has accepted. */
    async member(role: Role): Promise<number> {
      return transaction(ctx, async (tx) => {
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
    },
  }
}

/** A page of the dashboard in which a person is signed in; its clock is that of the server. */
export async function openAs(
  t: T,
  browser: Browser,
  app: SellerApp,
  { session, options = {} }: { readonly session: string; readonly options?: object },
): Promise<Watched> {
  // Its clock stands still, so that the context is no other test's.
  const opened = await watched(browser, { origins: [app.address], timezoneId: 'UTC', ...options })
  t.after(() => opened.close())
  const context = opened.page.context()
  await context.addCookies([
    { name: 'keywright_session', value: session, url: app.address, httpOnly: true, sameSite: 'Lax' },
  ])
  await opened.page.clock.setFixedTime(app.ctx.clock.real())
  return opened
}

/** Opens a page and waits for its title. */
export async function open({ page }: Watched, address: string, title: string | RegExp): Promise<void> {
  await page.goto(address)
  await page.getByRole('heading', { level: 1, name: title }).waitFor()
}
