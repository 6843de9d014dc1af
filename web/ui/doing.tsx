import { Button, Group, Modal } from '@mantine/core'
import { useMutation, useQueryClient, type Query } from '@tanstack/react-query'
import { useEffect, useRef, type ComponentProps, type ReactNode, type SubmitEvent } from 'react'
import { Problem } from '../shared/call.ts'
import { useFocusBack } from './focus-back.ts'
import { useOnce } from './once.ts'
import { isSignedOut, send } from './server.ts'
import { texts } from './texts.ts'

/** What a press sends. */
export type Sent = Omit<Parameters<typeof send>[0], 'key'>

/**
 * Sends a change of the page once, however often its button is pressed, also where its answer is lost, and has everything
 * that is shown asked for again. What was refused stands beside the form, with what was typed still in it.
 */
export function useDoing<T>(done: (result: T, sent: Sent) => void) {
  const queries = useQueryClient()
  const once = useOnce()
  const isDone = useRef(false)
  // Two presses may come from one drawing of the page, which knows of neither.
  const isSending = useRef(false)
  const doing = useMutation({
    mutationFn: (sent: Sent) => send<T>({ ...sent, key: once.keyOf(JSON.stringify(sent)) }),
    // Passwords that were sent and secrets that were answered are kept no longer than the form that shows them.
    gcTime: 0,
    onSuccess: async (result, sent) => {
      const isGone = goneBy(sent, result)
      await queries.invalidateQueries({ predicate: isGone, refetchType: 'none' })
      await queries.invalidateQueries({ predicate: (query) => !isGone(query) })
      isDone.current = true
      done(result, sent)
    },
    onSettled: (_, error) => {
      isSending.current = false
      once.answered(error instanceof Problem ? error : null)
    },
  })
  const problem = doing.error instanceof Problem ? doing.error : null
  return {
    isBusy: doing.isPending,
    problem,
    /** Whether what was sent last was done, which is so before anything is drawn anew. */
    isDone: () => isDone.current,
    send: (sent: Sent) => {
      if (isSending.current) return
      isSending.current = true
      isDone.current = false
      doing.mutate(sent)
    },
    reset: doing.reset,
    /** What is wrong with a field; undefined: nothing. */
    faultOf: (field: string) => faultIn(problem, field),
  }
}

/** What is known of a thing that was deleted, which the page still shows and nobody can ask for any more. */
function goneBy({ method, path }: Sent, result: unknown): (query: Pick<Query, 'queryKey'>) => boolean {
  const own = method === 'DELETE' && result === null ? /^.*\/\d+(?=\.json$)/.exec(path)?.[0] : undefined
  return ({ queryKey: [key] }) =>
    own !== undefined && typeof key === 'string' && (key === own || key.startsWith(`${own}/`))
}

type Doings = ReturnType<typeof useDoing>

export type Doing = Pick<Doings, 'isBusy' | 'problem'> & Partial<Pick<Doings, 'isDone'>>

/** Puts the focus of a form on the first field that is told to be wrong. */
export function useFirstFault(problem: Problem | null) {
  const form = useRef<HTMLFormElement>(null)
  useEffect(() => {
    if (problem) form.current?.querySelector<HTMLElement>('[aria-invalid=true]')?.focus()
  }, [problem])
  return form
}

/** Whether what is told to be wrong is one of these fields, or a part of one, such as `hosts.0` of `hosts`. */
const isIn = (told: string, fields: readonly string[]): boolean =>
  fields.some((field) => told === field || told.startsWith(`${field}.`))

/** What a problem says is wrong with a field; undefined: nothing. */
export const faultIn = (problem: Problem | null, field: string): string | undefined =>
  problem?.details.find((one) => isIn(one.field, [field]))?.message

/** Why a change was refused, where no field of the form says it. */
export function Refusal({
  problem,
  fields = [],
}: {
  readonly problem: Problem | null
  readonly fields?: readonly string[]
}) {
  if (!problem) return null
  const isSaid = problem.details.length > 0 && problem.details.every(({ field }) => isIn(field, fields))
  return isSaid ? null : (
    <p className="note bad" role="alert">
      {saidOf(problem)}
    </p>
  )
}

/** Why something was refused, in words; of a server that does not answer the browser says nothing that helps. */
export const saidOf = (problem: Problem): string => {
  if (isSignedOut(problem)) return texts.signedOut
  return problem.status === 0 || problem.message === '' ? texts.away : problem.message
}

/** What was done, read at once; empty: nothing yet. */
export const Said = ({ text }: { readonly text: string }) => (
  <p role="status" className={text === '' ? 'unseen' : 'note good'}>
    {text}
  </p>
)

interface DialogOf {
  readonly title: string
  readonly isOpen: boolean
  readonly close: () => void
  /** The words of the button, which say what is done to what. */
  readonly act: string
  readonly keep?: string
  readonly isDangerous?: boolean
  /** Whether it is not to be done yet. */
  readonly isBarred?: boolean
  readonly doing: Doing
  readonly fields?: readonly string[]
  /** Notes what is typed. */
  readonly noting?: Pick<ComponentProps<'form'>, 'onFocus' | 'onChange'>
  readonly submit: (form: FormData) => void
  readonly children: ReactNode
}

/** A form above the page: it says what will happen, and does it by the button that names it. */
export function Dialog({
  title,
  isOpen,
  close,
  act,
  keep = texts.close,
  isDangerous = false,
  isBarred = false,
  doing,
  fields,
  noting,
  submit,
  children,
}: DialogOf) {
  const form = useFirstFault(doing.problem)
  useFocusBack(isOpen)
  const send = (event: SubmitEvent<HTMLFormElement>) => {
    event.preventDefault()
    submit(new FormData(event.currentTarget))
  }
  return (
    <Modal.Root opened={isOpen} onClose={close} radius={10}>
      <Modal.Overlay />
      <Modal.Content>
        <div className="dialog-head">
          <Modal.Title>{title}</Modal.Title>
          <Modal.CloseButton aria-label={texts.close} />
        </div>
        <Modal.Body>
          <form ref={form} className="stack" method="post" {...noting} onSubmit={send} noValidate>
            <Refusal problem={doing.problem} {...(fields && { fields })} />
            {children}
            <Group justify="flex-end">
              <Button variant="default" onClick={close}>
                {keep}
              </Button>
              <Button
                type="submit"
                loading={doing.isBusy}
                disabled={isBarred}
                className={isDangerous ? 'danger' : ''}
              >
                {act}
              </Button>
            </Group>
          </form>
        </Modal.Body>
      </Modal.Content>
    </Modal.Root>
  )
}
