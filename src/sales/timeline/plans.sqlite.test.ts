import assert from 'node:assert/strict'
import { after, before, test } from 'node:test'
import { testContext } from '../../../test/app.ts'
import { stepsOf } from '../../../test/query-plan.ts'
import { auditIn, eventsIn, mailsIn, noteIn, refusalsIn, type Part } from './queries.ts'

let place: Awaited<ReturnType<typeof testContext>>
before(async () => {
  place = await testContext('timeline_plans')
})
after(() => place.drop())

const OWNER = { developerId: 1, productId: 1, userId: null, installId: null }

/** How the rows of a part are found. */
const planOf = async (query: { compile(): Parameters<typeof stepsOf>[1] }) =>
  (await stepsOf(place.ctx.db, query.compile())).join(' | ')

const INDEXES = {
  user: {
    eventsIn: 'events_of_user (product_id=? AND user_id=? AND created<?)',
    mailsIn: 'mails_in_timeline (user_id=? AND product_id=? AND created_at<?)',
    auditIn: 'audit_log_of_user (user_id=? AND product_id=? AND at<?)',
    refusalsIn: 'refusals_of_user (user_id=? AND id<?)',
    noteIn: 'notes',
  },
  license: {
    eventsIn: 'events_of_license (license_id=? AND created<?)',
    mailsIn: 'mails_of_license (license_id=? AND created_at<?)',
    auditIn: 'audit_log_of_license (license_id=? AND at<?)',
    refusalsIn: 'refusals_of_license (license_id=? AND id<?)',
    noteIn: 'notes',
  },
} as const

for (const whose of ['user', 'license'] as const) {
  test(`each part of the timeline of a ${whose} is read in its order by an index of its own`, async () => {
    for (const environment of [undefined, 0, 1] as const) {
      const before = { at: 1_769_853_600_000, id: 1_000 }
      const part: Part = { of: whose, id: 7, before, count: 26, environment }
      const { db } = place.ctx
      const queries = {
        eventsIn: eventsIn(db, OWNER, part),
        mailsIn: mailsIn(db, OWNER, part),
        auditIn: auditIn(db, OWNER, part),
        refusalsIn: refusalsIn(db, OWNER, part),
        noteIn: noteIn(db, OWNER, part),
      }
      for (const [name, query] of Object.entries(queries)) {
        const plan = await planOf(query)
        assert.match(plan, /^SEARCH/, name)
        assert.ok(
          plan.includes(`INDEX ${INDEXES[whose][name as keyof typeof queries]}`) || name === 'noteIn',
          plan,
        )
        if (name !== 'noteIn') assert.doesNotMatch(plan, /TEMP B-TREE/, name)
      }
    }
  })
}
