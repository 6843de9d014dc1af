import { useLayoutEffect, useRef } from 'preact/hooks'
import { usePage } from '../page.ts'
import { fill } from '../../shared/language.ts'

/** A discount for who is about to leave, once. */
export function Leaving() {
  const { isLeaving } = usePage().state
  return isLeaving ? <Offer /> : null
}

function Offer() {
  const page = usePage()
  const { texts, state } = page
  const dialog = useRef<HTMLDialogElement>(null)
  useLayoutEffect(() => dialog.current?.showModal(), [])
  const offer = state.checkout?.exit_intent
  return (
    <dialog
      ref={dialog}
      aria-labelledby="leaving"
      onCancel={(event) => {
        event.preventDefault()
        page.exit.declineOffer()
      }}
    >
      <h2 id="leaving">{texts.exitTitle}</h2>
      {offer && <p>{fill(texts.exitMore, { amount: page.money(offer.amount) })}</p>}
      <div class="acts">
        <button type="button" class="primary" onClick={() => void page.exit.takeOffer()}>
          {texts.exitTake}
        </button>
        <button type="button" onClick={() => page.exit.declineOffer()}>
          {texts.exitLeave}
        </button>
      </div>
    </dialog>
  )
}
