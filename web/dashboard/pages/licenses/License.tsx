import { Button } from '@mantine/core'
import { useQuery } from '@tanstack/react-query'
import { Link, useParams } from '@tanstack/react-router'
import { useState } from 'react'
import type { License as Shown } from '../../../../src/licensing/licenses/schema.ts'
import { fill } from '../../../shared/language.ts'
import { Allowed } from '../../Allowed.tsx'
import { AllowedButtons } from '../../AllowedButtons.tsx'
import { Refusal, Said, useDoing } from '../../../ui/doing.tsx'
import { Copy, numberText, Time } from '../../format.tsx'
import { One } from '../../One.tsx'
import { NumberLink, Owner, useUser } from '../../links.tsx'
import { ApiCall, PageHead, RawData } from '../../parts.tsx'
import { Facts } from '../../../ui/parts.tsx'
import { usePlace } from '../../place.ts'
import { plansQuery } from '../../products.ts'
import { planChangeTexts } from '../../texts/of-plan-change.ts'
import { texts } from '../../texts/texts.ts'
import { wayToPlans } from '../../ways.ts'
import { Refusals } from '../explain/Refusals.tsx'
import { ToExplain } from '../explain/ToExplain.tsx'
import { ChangeLicense } from './ChangeLicense.tsx'
import { ChangePlan } from './ChangePlan.tsx'
import { CancelLicense, Everywhere } from './Ending.tsx'
import { useRenewal } from './ending.ts'
import { LicenseKey } from './LicenseKey.tsx'
import { ReplaceLicenseKey } from './ReplaceLicenseKey.tsx'
import { OfflineFile } from './OfflineFile.tsx'
import { SiteLists } from './SiteLists.tsx'
import { Sites } from './Sites.tsx'
import { EndText, LicenseState, usedText } from './columns.tsx'
import { Note } from '../notes/Note.tsx'
import { Timeline } from '../timeline/Timeline.tsx'

/** One license: whose it is, where it is active, and what one does with it. */
export function License() {
  const { path } = usePlace()
  const { license = '' } = useParams({ strict: false })
  const own = `${path}/licenses/${license}`
  return (
    <One<Shown> title={texts.license} path={own}>
      {(found) => (
        <>
          <Head license={found} own={own} />
          <div className="two">
            <div className="stack">
              <Sites license={found} own={own} />
              <SiteLists own={own} />
              <Refusals query={{ license_id: found.id }} />
              <Timeline own={own} />
            </div>
            <div className="stack">
              <About license={found} own={own} />
              <MailKey license={found} own={own} />
              <Note own={own} />
            </div>
          </div>
          <ApiCall path={`${own}.json`} />
          <RawData data={{ ...found, secret_key: undefined }} />
        </>
      )}
    </One>
  )
}

interface OfLicense {
  readonly license: Shown
}

type Open = 'change' | 'plan' | 'key' | 'file' | 'everywhere' | 'cancel'

function Head({ license, own }: OfLicense & { readonly own: string }) {
  const [open, setOpen] = useState<Open | null>(null)
  return (
    <>
      <PageHead
        title={`${texts.license} #${license.id}`}
        state={<LicenseState {...license} />}
        actions={
          <>
            <ToExplain license={license.id} />
            <AllowedButtons
              group="licenses"
              buttons={actsOn(license).map(([act, words]) => [words, () => setOpen(act)])}
              most={1}
            />
          </>
        }
      />
      <Opened open={open} license={license} own={own} close={() => setOpen(null)} />
    </>
  )
}

/** What is done with a license as it is, what is done most first. */
const actsOn = ({
  is_cancelled: isCancelled,
  activated,
  activated_local: local,
}: Shown): readonly (readonly [Open, string])[] => [
  ['change', texts.changeLicense],
  ...(isCancelled ? [] : [['plan', planChangeTexts.change] as const]),
  ...(isCancelled ? [] : [['file', texts.offlineFile] as const]),
  ...(isCancelled ? [] : [['key', texts.replaceLicenseKey] as const]),
  ...(activated + (local ?? 0) > 0 ? [['everywhere', texts.deactivateAll] as const] : []),
  ...(isCancelled ? [] : [['cancel', texts.cancelLicense] as const]),
]

interface Opening extends OfLicense {
  readonly open: Open | null
  readonly own: string
  readonly close: () => void
}

function Opened({ open, license, own, close }: Opening) {
  if (open === 'change') return <ChangeLicense license={license} own={own} close={close} />
  if (open === 'plan') return <ChangePlan license={license} own={own} close={close} />
  if (open === 'file') return <OfflineFile id={license.id} own={own} close={close} />
  if (open === 'key') return <ReplaceLicenseKey license={license} own={own} close={close} />
  if (open === 'everywhere') return <Everywhere license={license} own={own} close={close} />
  if (open === 'cancel') return <CancelLicense license={license} own={own} close={close} />
  return null
}

/** Mails the key to the owner once more. */
function MailKey({ license, own }: OfLicense & { readonly own: string }) {
  const [said, setSaid] = useState('')
  const owner = useUser(license.user_id)
  const mailing = useDoing(() => setSaid(fill(texts.keyMailed, { email: owner?.email ?? '' })))
  if (!owner) return null
  return (
    <>
      <Refusal problem={mailing.problem} />
      <Said text={said} />
      <Allowed group="licenses" isQuiet>
        {(barred) => (
          <Button
            {...barred}
            className="at-start"
            variant="default"
            loading={mailing.isBusy}
            onClick={() => mailing.send({ method: 'POST', path: `${own}/resend.json` })}
          >
            {texts.mailKey}
          </Button>
        )}
      </Allowed>
    </>
  )
}

/** A role that may not read keys is sent none. */
function keyIn({ secret_key: key }: { readonly secret_key?: string | null }, own: string) {
  return key ? <LicenseKey key={key.slice(-4)} end={key.slice(-4)} own={own} /> : null
}

/** How many of the sites that it is for have it, and which count for none. */
function Used({ activated, activated_local: ofLocal, quota, is_free_localhost: isFree }: Shown) {
  const local = ofLocal ?? 0
  const counted = isFree ? activated : activated + local
  return (
    <>
      <div>{usedText({ activated: counted, quota })}</div>
      {activated + local === 0 ? null : (
        <div className="muted">
          {isFree ? fill(texts.notCounted, { count: numberText(local) }) : texts.notCountedBelow}
        </div>
      )}
    </>
  )
}

function About({ license, own }: OfLicense & { readonly own: string }) {
  const { account, path, product } = usePlace()
  const { data: plans = [] } = useQuery(plansQuery(path))
  const plan = plans.find(({ id }) => id === license.plan_id)
  const { seesSales, renewal, isPending } = useRenewal(own)
  return (
    <Facts
      facts={[
        { label: texts.customer, value: <Owner id={license.user_id} /> },
        {
          label: texts.plan,
          value: (
            <Link {...wayToPlans({ account: account.developer_id, product })}>
              {plan?.title ?? texts.none}
            </Link>
          ),
        },
        { label: texts.licenseKey, value: keyIn(license, own) },
        { label: texts.activations, value: <Used {...license} /> },
        ...(seesSales
          ? [
              {
                label: texts.subscription,
                value: isPending ? (
                  texts.loading
                ) : (
                  <NumberLink kind="subscription" id={renewal?.id ?? null} />
                ),
              },
            ]
          : []),
        { label: texts.ends, value: <EndText {...license} /> },
        { label: texts.created, value: <Time time={license.created} /> },
        { label: texts.id, value: <Copy text={license.id} /> },
      ]}
    />
  )
}
