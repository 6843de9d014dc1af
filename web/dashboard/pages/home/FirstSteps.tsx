import { Button } from '@mantine/core'
import { useQuery } from '@tanstack/react-query'
import { Link } from '@tanstack/react-router'
import { useState } from 'react'
import { fill } from '../../../shared/language.ts'
import { Allowed } from '../../Allowed.tsx'
import { CREATE } from '../../creating.ts'
import { ToCheckout } from '../../lists/starts.tsx'
import { Empty, MakingCall } from '../../parts.tsx'
import { usePlace } from '../../place.ts'
import { productsQuery } from '../../products.ts'
import { texts } from '../../texts/texts.ts'
import { callOf, stepsQuery, type Step } from './steps.ts'

/** Where a browser that keeps nothing lets nothing be put away for longer than the page is open. */
const kept = {
  get(name: string): boolean {
    try {
      return localStorage.getItem(name) !== null
    } catch {
      return false
    }
  },
  set(name: string): void {
    try {
      localStorage.setItem(name, '1')
    } catch {
      // It is gone for now.
    }
  },
}

/** How far the first steps are, and whether that is still asked for. */
export function useFirstSteps() {
  const { account, accountPath } = usePlace()
  const name = `keywright-steps-${account.developer_id}`
  const [isAway, setAway] = useState(() => kept.get(name))
  const { data: products, error } = useQuery(productsQuery(account.developer_id))
  // The first that was made is what one begins with.
  const product = products?.at(-1)?.id ?? null
  const asked = useQuery({ ...stepsQuery(accountPath, product), enabled: !isAway && products !== undefined })
  const putAway = () => {
    kept.set(name)
    setAway(true)
  }
  const isLoading = !error && (products === undefined || (!isAway && asked.isPending))
  return { products, error, product, steps: asked.data, isAway, isLoading, putAway }
}

/** The first five minutes, step by step; each ticks itself. Gone when all is done, or when it is put away. */
export function FirstSteps({ first }: { readonly first: ReturnType<typeof useFirstSteps> }) {
  const { account } = usePlace()
  const { products, product, steps, isAway, putAway } = first
  if (isAway && products?.length === 0) return <NoProduct />
  if (isAway || !steps || steps.every(({ isDone }) => isDone)) return null
  const next = steps.find(({ isDone }) => !isDone)
  const done = steps.filter(({ isDone }) => isDone).length
  return (
    <section className="panel card" aria-labelledby="steps">
      <div className="feed-head">
        <h2 id="steps">{texts.firstSteps}</h2>
        <span className="muted">{fill(texts.stepsDone, { done, all: steps.length })}</span>
        <Button variant="default" size="compact-sm" onClick={putAway}>
          {texts.putAway}
        </Button>
      </div>
      <ol className="steps">
        {steps.map((step) => (
          <li key={step.name}>
            <Item step={step} product={product} isNext={step === next} />
          </li>
        ))}
      </ol>
      <p>
        <Link to="/$account/imports/new" params={{ account: account.developer_id }}>
          {texts.comingFrom}
        </Link>
      </p>
    </section>
  )
}

function Item({
  step,
  product,
  isNext,
}: {
  readonly step: Step
  readonly product: string | null
  readonly isNext: boolean
}) {
  const { account } = usePlace()
  const [title, more] = texts.steps[step.name]
  const mark = (
    <>
      <span className={step.isDone ? 'tick done' : 'tick'} aria-hidden="true">
        {step.isDone ? '✓' : ''}
      </span>
      {title}
      <span className="unseen">{step.isDone ? ` (${texts.stepDone})` : ` (${texts.stepOpen})`}</span>
    </>
  )
  if (step.isDone) return <p className="muted">{mark}</p>
  return (
    <details open={isNext}>
      <summary>{mark}</summary>
      <p className="muted">{more}</p>
      <div className="actions">
        <Start step={step} product={product} />
      </div>
      <MakingCall making={callOf(step, account.developer_id, product)} />
    </details>
  )
}

/** The button that does it in the dashboard. */
function Start({ step, product }: { readonly step: Step; readonly product: string | null }) {
  if (step.name === 'product') return <ToPage page="products" group="catalogue" words={texts.createProduct} />
  if (product === null) return null
  if (step.name === 'purchase') return <ToCheckout of={product} />
  const [page, group, words] = PAGES[step.name]
  return <ToPage page={`${product}/${page}`} group={group} words={words} />
}

const PAGES = {
  plan: ['plans', 'catalogue', texts.createPlan],
  activation: ['licenses', 'licenses', texts.issueLicense],
  webhook: ['webhooks', 'events', texts.addWebhook],
} as const

interface To {
  /** Below the account. */
  readonly page: string
  readonly group: string
  readonly words: string
}

/** Opens on its page what creates something there. */
function ToPage({ page, group, words }: To) {
  const { account } = usePlace()
  return (
    <Allowed group={group} isQuiet>
      {(barred) => (
        <Button
          {...barred}
          size="compact-sm"
          renderRoot={(props) => (
            <Link
              {...props}
              to={`/$account/${page}`}
              params={{ account: account.developer_id }}
              hash={CREATE}
            />
          )}
        >
          {words}
        </Button>
      )}
    </Allowed>
  )
}

/** What stands there for who has put the steps away. */
function NoProduct() {
  const { accountPath } = usePlace()
  return (
    <Empty
      title={texts.noProducts}
      more={texts.noProductsMore}
      making={{ path: `${accountPath}/products.json`, body: { title: texts.stepTitle } }}
    >
      <ToPage page="products" group="catalogue" words={texts.createProduct} />
    </Empty>
  )
}
