import { Button } from '@mantine/core'
import { useQuery } from '@tanstack/react-query'
import { useParams } from '@tanstack/react-router'
import { useState } from 'react'
import type { Trial as Shown } from '../../../../src/licensing/trials/schema.ts'
import { fill } from '../../../shared/language.ts'
import { Allowed } from '../../Allowed.tsx'
import { Confirm } from '../../../ui/Confirm.tsx'
import { Copy, Time, useWhen } from '../../format.tsx'
import { NumberLink, Owner } from '../../links.tsx'
import { One } from '../../One.tsx'
import { ApiCall, PageHead, RawData } from '../../parts.tsx'
import { Facts } from '../../../ui/parts.tsx'
import { usePlace } from '../../place.ts'
import { plansQuery } from '../../products.ts'
import { texts } from '../../texts/texts.ts'
import { TrialState } from './TrialState.tsx'

/** One trial: who tries what until when, what it leads to, and the way to end it. */
export function Trial() {
  const { path } = usePlace()
  const { trial = '' } = useParams({ strict: false })
  const own = `${path}/trials/${trial}`
  return (
    <One<Shown> title={texts.trial} path={own}>
      {(found) => (
        <>
          <Head trial={found} />
          <div className="two">
            <Course trial={found} />
            <Facts
              facts={[
                { label: texts.customer, value: <Owner id={found.user_id} /> },
                { label: texts.license, value: <NumberLink kind="license" id={found.license_id} /> },
                { label: texts.install, value: <NumberLink kind="install" id={found.install_id} /> },
                {
                  label: texts.subscription,
                  value: <NumberLink kind="subscription" id={found.subscription_id} />,
                },
                { label: texts.payment, value: <NumberLink kind="payment" id={found.payment_id} /> },
                { label: texts.id, value: <Copy text={found.id} /> },
              ]}
            />
          </div>
          <ApiCall path={`${own}.json`} />
          <RawData data={found} />
        </>
      )}
    </One>
  )
}

interface OfTrial {
  readonly trial: Shown
}

/** What is tried, and how it goes. */
function Course({ trial }: OfTrial) {
  const { path } = usePlace()
  const { data: plans } = useQuery(plansQuery(path))
  const plan = plans?.find(({ id }) => id === trial.plan_id)
  const ended =
    trial.state === 'converted'
      ? { label: texts.convertedAt, value: <Time time={trial.converted_at} /> }
      : trial.state === 'cancelled'
        ? { label: texts.cancelledAt, value: <Time time={trial.canceled_at} /> }
        : null
  return (
    <Facts
      title={texts.trial}
      facts={[
        { label: texts.plan, value: plan?.title ?? `#${trial.plan_id}` },
        { label: texts.begins, value: <Time time={trial.created} /> },
        { label: texts.trialEnds, value: <Time time={trial.trial_ends_at} /> },
        ...(ended ? [ended] : []),
        {
          label: texts.trialWithMethod,
          value: trial.with_payment_method ? `${texts.yes}. ${texts.trialWithMethodMore}` : texts.no,
        },
      ]}
    />
  )
}

function Head({ trial }: OfTrial) {
  const { path } = usePlace()
  const [isEnding, setEnding] = useState(false)
  const when = useWhen()
  return (
    <>
      <PageHead
        title={`${texts.trial} #${trial.id}`}
        state={<TrialState {...trial} />}
        actions={
          trial.state === 'running' && trial.install_id !== null ? (
            <Allowed group="licenses">
              {(barred) => (
                <Button {...barred} variant="default" onClick={() => setEnding(true)}>
                  {texts.endTrial}
                </Button>
              )}
            </Allowed>
          ) : null
        }
      />
      {isEnding ? (
        <Confirm
          title={texts.endTrial}
          text={fill(texts.endTrialMore, { until: when(trial.trial_ends_at) })}
          keep={texts.keepTrial}
          sent={{ method: 'DELETE', path: `${path}/installs/${trial.install_id}/trials.json` }}
          close={() => setEnding(false)}
        />
      ) : null}
    </>
  )
}
