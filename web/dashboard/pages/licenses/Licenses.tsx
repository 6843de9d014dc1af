import { Button } from '@mantine/core'
import { useQuery } from '@tanstack/react-query'
import { useState } from 'react'
import type { LicenseEnriched } from '../../../../src/licensing/licenses/list-schema.ts'
import { nameOf } from '../../format.tsx'
import { BY_AGE } from '../../lists/by-age.ts'
import { List } from '../../lists/List.tsx'
import { useCreating } from '../../creating.ts'
import { usePlace } from '../../place.ts'
import { plansQuery } from '../../products.ts'
import { Allowed } from '../../Allowed.tsx'
import { texts } from '../../texts/texts.ts'
import { CheckFile } from './CheckFile.tsx'
import { EndText, LicenseState, usedText } from './columns.tsx'
import { IssueLicense } from './IssueLicense.tsx'
import { IssueMany } from './IssueMany.tsx'

const FILTERS = [
  ['active', texts.active],
  ['expired', texts.expired],
  ['cancelled', texts.cancelled],
  ['abandoned', texts.abandoned],
  ['migrated', texts.migrated],
] as const

/** What brings a row. */
const NEWS = ['license.created']

export function Licenses() {
  const { path, environment, wayTo } = usePlace()
  const { data: plans = [] } = useQuery(plansQuery(path))
  const [isIssuing, setIssuing] = useCreating('licenses')
  const [isIssuingMany, setIssuingMany] = useState(false)
  const planOf = (id: string) => plans.find((plan) => plan.id === id)?.title ?? texts.none
  return (
    <>
      <List<LicenseEnriched>
        title={texts.licenses}
        about={texts.licensesAbout}
        actions={<CheckFile />}
        create={
          <Allowed group="licenses">
            {(props) => (
              <>
                <Button {...props} variant="default" onClick={() => setIssuingMany(true)}>
                  {texts.issueMany}
                </Button>
                <Button {...props} onClick={() => setIssuing(true)}>
                  {texts.issueLicense}
                </Button>
              </>
            )}
          </Allowed>
        }
        path={`${path}/licenses.json`}
        items="licenses"
        query={{ enriched: true, environment }}
        search={texts.searchLicenses}
        filters={FILTERS}
        hasSpan
        sorts={BY_AGE}
        columns={[
          { label: texts.customer, show: nameOf },
          { label: texts.plan, show: ({ plan_id }) => planOf(plan_id) },
          { label: texts.state, show: LicenseState },
          { label: texts.activations, show: usedText, isNumber: true },
          { label: texts.ends, show: EndText },
        ]}
        wayTo={({ id }) => wayTo('license', id)}
        news={NEWS}
        bulk={{ kind: 'licenses', group: 'licenses' }}
        making={{
          path: `${path}/plans/$PLAN/pricing/$PRICING/licenses.json`,
          body: { period: 12 },
        }}
        empty={[texts.noLicenses, texts.noLicensesMore]}
      />
      {isIssuingMany ? <IssueMany close={() => setIssuingMany(false)} /> : null}
      <IssueLicense isOpen={isIssuing} close={() => setIssuing(false)} />
    </>
  )
}
