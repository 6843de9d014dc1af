import { Button } from '@mantine/core'
import { useParams } from '@tanstack/react-router'
import { useState } from 'react'
import type { License } from '../../../../src/licensing/licenses/schema.ts'
import type { User } from '../../../../src/people/users/schema.ts'
import type { Payment } from '../../../../src/sales/payments/schema.ts'
import type { Subscription } from '../../../../src/sales/subscriptions/schema.ts'
import { Allowed } from '../../Allowed.tsx'
import { Copy, nameOf, Time } from '../../format.tsx'
import { Part } from '../../lists/Part.tsx'
import { ToCheckout } from '../../lists/starts.tsx'
import { One } from '../../One.tsx'
import { ApiCall, PageHead, RawData } from '../../parts.tsx'
import { Facts } from '../../../ui/parts.tsx'
import { OfSandbox } from '../../may-write.ts'
import { usePlace } from '../../place.ts'
import { may } from '../../session.ts'
import { texts } from '../../texts/texts.ts'
import { IssueLicense } from '../licenses/IssueLicense.tsx'
import { LICENSE_COLUMNS } from '../licenses/columns.tsx'
import { PAYMENT_COLUMNS } from '../payments/columns.tsx'
import { SUBSCRIPTION_COLUMNS } from '../subscriptions/columns.tsx'
import { Note } from '../notes/Note.tsx'
import { ViewPortal } from './ViewPortal.tsx'
import { PersonData } from './PersonData.tsx'
import { Timeline } from '../timeline/Timeline.tsx'

/** All that a customer has, on one page. */
export function Customer() {
  const { path } = usePlace()
  const { customer = '' } = useParams({ strict: false })
  const own = `${path}/users/${customer}`
  return (
    <One<User> title={texts.customer} path={own}>
      {(user) => <Known user={user} own={own} />}
    </One>
  )
}

function Known({ user, own }: { readonly user: User; readonly own: string }) {
  const { account, environment, wayTo } = usePlace()
  const seesSales = may(account, 'sales', 'read')
  const [isIssuing, setIssuing] = useState(false)
  return (
    <>
      <Head user={user} own={own} issue={() => setIssuing(true)} />
      <IssueLicense isOpen={isIssuing} close={() => setIssuing(false)} email={user.email} />
      <div className="two">
        <div className="stack">
          <OfSandbox value={environment === 1}>
            <Part<License>
              title={texts.licenses}
              path={`${own}/licenses.json`}
              items="licenses"
              query={{ environment }}
              columns={LICENSE_COLUMNS}
              wayTo={({ id }) => wayTo('license', id)}
              empty={texts.noLicensesOf}
              start={environment === 1 ? <ToCheckout /> : <IssueFirst open={() => setIssuing(true)} />}
            />
            {seesSales ? (
              <>
                <Part<Subscription>
                  title={texts.subscriptions}
                  path={`${own}/subscriptions.json`}
                  items="subscriptions"
                  query={{ environment }}
                  columns={SUBSCRIPTION_COLUMNS}
                  wayTo={({ id }) => wayTo('subscription', id)}
                  empty={texts.noSubscriptionsOf}
                />
                <Part<Payment>
                  title={texts.payments}
                  path={`${own}/payments.json`}
                  items="payments"
                  query={{ environment }}
                  columns={PAYMENT_COLUMNS}
                  wayTo={({ id }) => wayTo('payment', id)}
                  empty={texts.noPaymentsOf}
                />
              </>
            ) : null}
          </OfSandbox>
          <Timeline own={own} environment={environment} />
        </div>
        <div className="stack">
          <About user={user} />
          <Note own={own} />
          <PersonData user={user} own={own} />
        </div>
      </div>
      <ApiCall path={`${own}.json`} />
      <RawData data={withoutKeys(user)} />
    </>
  )
}

const About = ({ user }: { readonly user: User }) => (
  <Facts
    facts={[
      { label: texts.email, value: <Copy text={user.email} /> },
      { label: texts.id, value: <Copy text={user.id} /> },
      { label: texts.since, value: <Time time={user.created} /> },
      { label: texts.verified, value: user.is_verified ? texts.yes : texts.no },
      { label: texts.marketing, value: user.is_marketing_allowed ? texts.yes : texts.no },
      { label: texts.beta, value: user.is_beta ? texts.yes : texts.no },
    ]}
  />
)

interface Headed {
  readonly user: User
  readonly own: string
  readonly issue: () => void
}

/** Who it is, with what is done for a customer. */
const Head = ({ user, own, issue }: Headed) => (
  <PageHead
    title={nameOf(user)}
    about={user.email}
    actions={
      <>
        <ViewPortal own={own} />
        <Allowed group="licenses">
          {(barred) => (
            <Button {...barred} variant="default" onClick={issue}>
              {texts.issueLicense}
            </Button>
          )}
        </Allowed>
      </>
    }
  />
)

const IssueFirst = ({ open }: { readonly open: () => void }) => (
  <Allowed group="licenses" isQuiet>
    {(barred) => (
      <Button {...barred} className="at-start" variant="default" onClick={open}>
        {texts.issueFirst}
      </Button>
    )}
  </Allowed>
)

/** Secret keys stand nowhere that nobody asked to see them. */
const withoutKeys = (user: User) => ({ ...user, secret_key: undefined })
