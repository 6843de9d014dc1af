import { useEffect, useLayoutEffect, useRef } from 'preact/hooks'
import type { Look } from '../address.ts'
import { usePage } from '../page.ts'
import { Buyer } from './Buyer.tsx'
import { Consents } from './Consents.tsx'
import { Done } from './Done.tsx'
import { Alert, Failed, Waits } from './Failed.tsx'
import { Leaving } from './Leaving.tsx'
import { Legal } from './Legal.tsx'
import { Order } from './Order.tsx'
import { PayButton, Payment } from './Payment.tsx'
import { Refunds } from './Refunds.tsx'
import { Waiting } from './Waiting.tsx'

/** The whole checkout in whatever phase it is. */
export function Checkout() {
  const page = usePage()
  const { state, texts, address } = page
  const box = useRef<HTMLDivElement>(null)
  const isFramed = page.host.frame !== null && address.mode === 'dialog'
  useLayoutEffect(() => {
    if (state.phase === 'open') focusFirst(box.current)
  }, [state.phase === 'open'])
  useEffect(() => {
    // Of the document: where nothing has the focus, as after a click beside the fields, no part hears of a key.
    const hear = (event: KeyboardEvent) => {
      if (event.key !== 'Escape' || page.state.isLeaving) return
      event.preventDefault()
      if (isFramed) page.exit.close()
    }
    document.addEventListener('keydown', hear)
    return () => document.removeEventListener('keydown', hear)
  }, [page, isFramed])
  return (
    <main
      class={`stage ${address.mode}`}
      onMouseDown={({ target, currentTarget }) => {
        if (isFramed && target === currentTarget) page.exit.close()
      }}
    >
      <div
        // Another box when it opens: one that grew would move all that stands in it.
        key={state.phase === 'opening' ? 'opening' : 'open'}
        class={boxOf(address.look)}
        ref={box}
        role={isFramed ? 'dialog' : undefined}
        aria-modal={isFramed || undefined}
        aria-label={isFramed ? texts.title : undefined}
      >
        {state.checkout?.environment === 1 && <p class="band">{texts.testMode}</p>}
        <Waits />
        <div class="view">
          <CloseButton />
          <View />
        </div>
        <Leaving />
      </div>
    </main>
  )
}

const boxOf = ({ formFirst, isVertical, isFullscreen }: Look): string =>
  ['box', formFirst && 'form-first', isVertical && 'vertical', isFullscreen && 'fullscreen']
    .filter(Boolean)
    .join(' ')

function CloseButton() {
  const page = usePage()
  const { mode } = page.address
  if (!page.exit.hasWayBack) return null
  const label = mode === 'page' ? page.texts.back : page.texts.close
  const { cancelIcon } = page.address.look
  return (
    <button type="button" class="close" aria-label={label} title={label} onClick={() => page.exit.close()}>
      {cancelIcon === null ? (
        <svg viewBox="0 0 16 16" aria-hidden="true">
          <path d={mode === 'page' ? 'M10 3L5 8l5 5' : 'M3.5 3.5l9 9m0-9l-9 9'} />
        </svg>
      ) : (
        <img src={cancelIcon} alt="" />
      )}
    </button>
  )
}

function View() {
  const { state, texts } = usePage()
  switch (state.phase) {
    case 'opening':
      return (
        <div class="done">
          <div class="spinner" aria-hidden="true" />
          <div role="status">
            <h1 class="loading">{texts.loading}</h1>
          </div>
        </div>
      )
    case 'failed':
      return <Failed />
    case 'open':
    case 'paying':
      return <Form />
    case 'waiting':
    case 'confirming':
      return <Waiting />
    case 'paid':
      return <Done />
    default:
      return state.phase satisfies never
  }
}

function Form() {
  const page = usePage()
  return (
    <div class="columns">
      <Order />
      <form
        noValidate
        class="buyer"
        onSubmit={(event) => {
          event.preventDefault()
          // Once the event is over it has no target any more.
          const { currentTarget } = event
          void page.pay().then(() => showWhyNot(currentTarget))
        }}
      >
        <Alert />
        <Buyer />
        <Payment />
        <Consents />
        <PayButton />
        {page.address.look.refundsBelowForm && <Refunds />}
        <Legal />
      </form>
    </div>
  )
}

/** The first field that must still be filled, or else could be; a page that was opened by itself is not scrolled by that. */
function focusFirst(box: HTMLElement | null): void {
  const fields = box?.querySelectorAll<HTMLInputElement | HTMLSelectElement>('form input, form select') ?? []
  const empty = [...fields].filter(({ value }) => value === '')
  const first = empty.find(({ required }) => required) ?? empty[0]
  first?.focus({ preventScroll: true })
}

/** The first field that is wrong, or else what is said above all of them, wherever the page is scrolled to. */
function showWhyNot(form: HTMLElement): void {
  const field = form.querySelector<HTMLElement>('[aria-invalid="true"]')
  if (field) field.focus()
  else form.querySelector('.alert')?.scrollIntoView({ block: 'nearest' })
}
