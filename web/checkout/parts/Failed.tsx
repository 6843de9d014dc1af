import type { Problem } from '../../shared/call.ts'
import { usePage, type Page } from '../page.ts'
import { fill } from '../../shared/language.ts'
import { useFocus } from '../../shared/focus.ts'

/** Those whose words the page has found. */
const SAID: ReadonlySet<string> = new Set(['checkout_repriced', 'card_form', 'gateway_away'])

/** A problem in the words of its reader. */
function sayProblem({ texts }: Pick<Page, 'texts'>, { code, message }: Problem): string {
  if (SAID.has(code)) return message
  if (code === 'already_purchased') return texts.alreadyPurchased
  const known: Readonly<Record<string, string>> = { ...texts.couponReasons, ...texts.problems }
  return known[code] ?? fill(texts.other, { message: message || code })
}

/** Why an address opens nothing: without a product there is nothing, and what is wrong in it is named. */
function sayOpening(page: Page, problem: Problem): string {
  const { texts, address } = page
  if (address.productId === '') return texts.problems.not_found
  return problem.details.length > 0
    ? fill(texts.badAddress, { message: problem.message })
    : sayProblem(page, problem)
}

/** Why the checkout cannot be opened. */
export function Failed() {
  const page = usePage()
  const { texts, state } = page
  const heading = useFocus<HTMLHeadingElement>()
  const { problem } = state
  if (!problem) return null
  return (
    <div class="done">
      <h1 ref={heading} tabIndex={-1}>
        {texts.failedTitle}
      </h1>
      <p>{sayOpening(page, problem)}</p>
      {problem.requestId !== null && <p class="muted">{fill(texts.requestId, { id: problem.requestId })}</p>}
      <button type="button" onClick={() => void page.store.open()}>
        {texts.tryAgain}
      </button>
    </div>
  )
}

/** Why it could not be paid or changed, above the form. */
export function Alert() {
  const page = usePage()
  const { texts, state } = page
  const { problem, errors } = state
  const isIncomplete = Object.keys(errors).length > 0
  return (
    <div role="alert">
      {problem && <p class="alert bad">{sayProblem(page, problem)}</p>}
      {!problem && isIncomplete && <p class="alert bad">{texts.summaryOfErrors}</p>}
    </div>
  )
}

/** Why something waits, for as long as it does. */
export function Waits() {
  const { texts, state } = usePage()
  return (
    <div role="status">
      {state.waits && <p class="alert warning">{state.waits.status === 0 ? texts.offline : texts.busy}</p>}
    </div>
  )
}
