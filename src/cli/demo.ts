import type { Context } from '../context.ts'
import { fillDemo, openDemo } from '../demo/demo.ts'
import { accessOf } from './access.ts'
import { issueSignInLink } from '../accounts/sessions/mailed-sign-in.ts'
import { databaseCommand } from './command.ts'
import { demoText, type DemoFields } from './demo-text.ts'
import { Failure } from './failure.ts'
import { addressToCall, runningAddress } from './running-address.ts'

export const command = databaseCommand({
  describe: 'fill an empty database with a demo, or bring its demo up to now, and print a fresh token for it',
  handler: async (ctx) => {
    const access = await readyDemo(ctx)
    if (!access) {
      throw new Failure(
        'not_empty',
        'There is a developer already; the demo fills an empty database only: KEYWRIGHT_DATA (or DATABASE_URL) takes another one.',
      )
    }
    return { value: access, text: demoText(access, await addressToCall(ctx)) }
  },
})

/**
 * Fills the demo where it is missing, and opens it; the tokens so far go on where a server runs on it beside that of
 * this process (`own`). Null when the database holds another seller's data.
 */
export async function readyDemo(ctx: Context, own?: string): Promise<DemoFields | null> {
  const filled = await fillDemo(ctx)
  if (!filled) return null
  const isServed = (await runningAddress(ctx.config, own)) !== null
  const demo = await openDemo(ctx, filled, isServed)
  const link = await issueSignInLink(ctx, demo.developer.id, own ?? (await addressToCall(ctx)))
  return {
    ...(link !== null && { sign_in_link: link }),
    ...accessOf(demo),
    other_product_id: String(demo.otherProductId),
    ...demo.examples,
  }
}
