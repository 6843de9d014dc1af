import type { TestApp } from './app.ts'

/** How often a coupon was redeemed: live, and in sandboxes. */
export async function redemptionsOf({ ctx }: Pick<TestApp, 'ctx'>, id: number | string) {
  const { redemptions: live, sandbox_redemptions: sandbox } = await ctx.db
    .selectFrom('coupons')
    .select(['redemptions', 'sandbox_redemptions'])
    .where('id', '=', Number(id))
    .executeTakeFirstOrThrow()
  return { live, sandbox }
}
