import { renewalState, resumeRenewals } from '../work/renewal-watch.ts'
import { databaseCommand, type Group } from './command.ts'

const resume = databaseCommand({
  describe:
    'let renewals of production go on, and what is old be deleted, which wait when the server was away, or its clock jumped, by more than three days',
  docs: 'docs/ledger.md',
  handler: async (ctx) => {
    const { due } = await renewalState(ctx.db, ctx.clock.real())
    const isResumed = await resumeRenewals(ctx)
    const text = isResumed
      ? `Renewals go on: ${due} subscriptions are due, each for at most one period.`
      : 'Renewals do not wait.'
    return { value: { resumed: isResumed, due }, text }
  },
})

export const command: Group = {
  describe: 'the renewals of subscriptions in production',
  commands: { resume },
}
