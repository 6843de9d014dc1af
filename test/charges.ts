import type { Gateway } from '../src/gateways/gateway.ts'
import type { TestApp, TestContext } from './app.ts'

/** Puts another gateway in the place of the test gateway, which does what is not said otherwise. */
export function overTestGateway(
  { ctx }: { readonly ctx: TestContext },
  change: (inner: Gateway) => Partial<Gateway>,
): void {
  const inner = ctx.gateways.find(({ code }) => code === 'test')
  if (!inner) throw new Error('There is a test gateway.')
  Object.assign(ctx, { gateways: [{ ...inner, ...change(inner) }] })
}

/** What was asked for last of the gateway of a test. */
export const newestCharge = ({ ctx }: Pick<TestApp, 'ctx'>) =>
  ctx.db.selectFrom('charges').selectAll().orderBy('id', 'desc').limit(1).executeTakeFirstOrThrow()
