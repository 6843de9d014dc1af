import { Link } from '@tanstack/react-router'
import { useQuery } from '@tanstack/react-query'
import { useEffect, useRef } from 'react'
import { fill } from '../../../shared/language.ts'
import { Facts } from '../../../ui/parts.tsx'
import { writtenTime } from '../../../ui/time.ts'
import { exactTime, numberText, State } from '../../format.tsx'
import { RawData } from '../../parts.tsx'
import { usePlace } from '../../place.ts'
import { productsQuery } from '../../products.ts'
import { fileCheckTexts as words } from '../../texts/of-file-check.ts'
import { texts } from '../../texts/texts.ts'
import type { Genuine, Outcome } from './file-check.ts'

interface Found {
  /** Of the file that was checked; null: it was typed. */
  readonly name: string | null
  /** Null: nothing was checked yet. */
  readonly outcome: Outcome | null
}

/** What came of the check of a file, in words, with what the file says where that is proven. */
export function FileFindings({ name, outcome }: Found) {
  const verdict = useRef<HTMLParagraphElement>(null)
  useEffect(() => {
    if (outcome) verdict.current?.scrollIntoView({ block: 'nearest' })
  }, [outcome])
  return (
    <>
      <p role="status" ref={verdict} className={toneOf(outcome)}>
        <Verdict name={name} outcome={outcome} />
      </p>
      {outcome && 'file' in outcome ? <Proven {...outcome} /> : null}
      {outcome && 'says' in outcome ? (
        <>
          <Facts title={words.says} facts={[{ label: words.key, value: <code>{outcome.kid}</code> }]} />
          <RawData data={outcome.says} />
        </>
      ) : null}
    </>
  )
}

/** What could not be told is neither good nor bad. */
function toneOf(outcome: Outcome | null): string {
  if (outcome === null) return 'unseen'
  if (outcome.verdict === 'valid') return 'note good'
  return outcome.verdict === 'foreign' || outcome.verdict === 'no_crypto' ? 'note' : 'note bad'
}

function Verdict({ name, outcome }: Found) {
  const { account, product } = usePlace()
  const { data: products = [] } = useQuery(productsQuery(account.developer_id))
  if (outcome === null) return null
  const here = products.find(({ id }) => id === product)?.title ?? ''
  const of = 'product' in outcome ? outcome.product.title || `#${outcome.product.id}` : ''
  const text = fill(words.verdicts[outcome.verdict], { product: of, here })
  return name === null ? text : fill(words.ofFile, { file: name, text })
}

const TIMES = {
  valid: { word: words.good, tone: 'good' },
  expired: { word: words.over, tone: 'bad' },
  early: { word: words.ahead, tone: 'bad' },
} as const

/** Unix seconds as the interface writes a time. */
const utcOf = (seconds: number) => writtenTime(new Date(seconds * 1000))

function Proven({ product, file, signer, time }: Genuine) {
  const { license, plan, features, uid, issued, expires } = file
  const { wayTo } = usePlace()
  return (
    <>
      <Facts
        title={words.says}
        facts={[
          { label: words.signature, value: <State word={words.signed} tone="good" /> },
          {
            label: words.key,
            value: (
              <>
                <code>{signer.kid}</code>, {words.keys[signer.state]}
              </>
            ),
          },
          { label: texts.product, value: product.title },
          {
            label: texts.license,
            value: <Link {...wayTo('license', license.id, product.id)}>#{license.id}</Link>,
          },
          { label: texts.machine, value: uid === null ? texts.anyMachine : <code>{uid}</code> },
          { label: words.made, value: exactTime(utcOf(issued)) },
          {
            label: words.until,
            value: (
              <>
                {exactTime(utcOf(expires))} <State {...TIMES[time]} />
              </>
            ),
          },
          { label: texts.plan, value: plan.title },
          { label: words.features, value: <Features features={features} /> },
          {
            label: texts.activations,
            value:
              license.quota === null
                ? texts.unlimited
                : fill(words.upTo, { count: numberText(license.quota) }),
          },
          {
            label: words.licenseEnds,
            value: license.expiration === null ? texts.never : exactTime(license.expiration),
          },
          { label: words.atEnd, value: license.is_block_features ? words.blocks : words.goesOn },
          { label: words.whitelabeled, value: license.is_whitelabeled ? texts.yes : texts.no },
          { label: texts.mode, value: license.environment === 1 ? texts.test : texts.live },
        ]}
      />
      <RawData data={file} />
    </>
  )
}

function Features({ features }: Pick<Genuine['file'], 'features'>) {
  if (features.length === 0) return texts.none
  return features.map(({ id, title, value }) => (
    <div key={id}>
      {title}: {value ?? words.given}
    </div>
  ))
}
