import { isElsewhere } from '../elsewhere.ts'
import { usePage } from '../page.ts'
import { useFocus } from '../../shared/focus.ts'

/**
 * A payment that its bank has not decided, that the buyer has to confirm there, or that another window makes.
 * A confirmation alone can be left for another method: what a bank is at may still be paid.
 */
export function Waiting() {
  const page = usePage()
  const { texts, state } = page
  const heading = useFocus<HTMLHeadingElement>()
  const isPaidElsewhere = isElsewhere(state.problem)
  const confirmation = state.phase === 'confirming' ? (state.result?.confirmation_url ?? null) : null
  return (
    <div class="done">
      <div class="spinner" aria-hidden="true" />
      <h1 ref={heading} tabIndex={-1}>
        {isPaidElsewhere ? texts.inProgress : texts.waiting}
      </h1>
      <p>{confirmation === null ? texts.waitingMore : texts.confirm}</p>
      {confirmation !== null && (
        <>
          <a class="button primary" href={confirmation} target="_blank" rel="noopener">
            {texts.confirmButton}
          </a>
          <button type="button" class="link" onClick={() => page.payOtherwise()}>
            {texts.otherMethod}
          </button>
        </>
      )}
    </div>
  )
}
