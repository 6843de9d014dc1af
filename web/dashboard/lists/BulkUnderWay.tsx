import { Button, Group, Modal } from '@mantine/core'
import { useQuery } from '@tanstack/react-query'
import { useState, type ReactNode } from 'react'
import type { Bulk } from '../../../src/lists/bulk/schema.ts'
import { fill } from '../../shared/language.ts'
import { isName, TypedName } from '../../ui/Confirm.tsx'
import { Refusal, useDoing } from '../../ui/doing.tsx'
import { Loading } from '../../ui/parts.tsx'
import { ask } from '../../ui/server.ts'
import { useFocusBack } from '../../ui/focus-back.ts'
import { numberText } from '../format.tsx'
import { Failure } from '../parts.tsx'
import { usePlace } from '../place.ts'
import { productsQuery } from '../products.ts'
import { listTexts } from '../texts/lists.ts'
import { texts } from '../texts/texts.ts'
import { BulkItems } from './BulkItems.tsx'
import { isAtWork } from './under-way.ts'

const EVERY_MS = 1_000

/** A bulk action as it is asked for. */
export interface BulkBody {
  readonly arguments: object
}

interface Followed {
  readonly id: string
  /** What was asked for, that it can be done after it was shown; absent: it is only looked at. */
  readonly body?: BulkBody | undefined
  readonly close: () => void
}

/** How far a bulk action is and what came of it; a dry run can be done then, and what was refused tried again. */
export function BulkUnderWay({ id: first, body, close }: Followed) {
  useFocusBack(true)
  const { path } = usePlace()
  const [id, setId] = useState(first)
  const own = `${path}/bulk/${id}.json`
  const doing = useDoing<Bulk>((begun) => setId(begun.id))
  const { data, error, refetch } = useQuery({
    queryKey: [own],
    queryFn: () => ask<Bulk>(own),
    refetchInterval: ({ state }) => (state.data && !isAtWork(state.data) ? false : EVERY_MS),
  })
  const isOver = data !== undefined && !isAtWork(data)
  return (
    <Modal.Root opened onClose={close} radius={10} size="lg">
      <Modal.Overlay />
      <Modal.Content>
        <div className="dialog-head">
          <Modal.Title>{data?.is_dry_run === false ? listTexts.bulkTitle : listTexts.dryTitle}</Modal.Title>
          <Modal.CloseButton aria-label={texts.close} />
        </div>
        <Modal.Body>
          <div className="stack">
            <Refusal problem={doing.problem} />
            {error ? (
              <Failure error={error} again={() => void refetch()} />
            ) : data ? (
              <HowFar of={data} />
            ) : (
              <Loading lines={2} />
            )}
            {isOver ? <BulkItems of={data} /> : null}
            <Next of={isOver ? data : undefined} body={body} path={path} doing={doing} close={close} />
          </div>
        </Modal.Body>
      </Modal.Content>
    </Modal.Root>
  )
}

interface Following extends Pick<Followed, 'body' | 'close'> {
  /** Absent: it goes on. */
  readonly of: Bulk | undefined
  readonly path: string
  readonly doing: Pick<ReturnType<typeof useDoing>, 'isBusy' | 'send'>
}

/** What can be done when it is over: what was shown, or what was refused again. */
function Next({ of, body, path, doing, close }: Following) {
  const closing = (
    <Button variant="default" onClick={close}>
      {texts.close}
    </Button>
  )
  if (of?.is_dry_run && body && of.done > 0) {
    return (
      <DoIt
        closing={closing}
        of={of}
        isFinal={FINAL.includes(of.action) || FINAL_ARGUMENT in body.arguments}
        isBusy={doing.isBusy}
        act={() => doing.send({ method: 'POST', path: `${path}/bulk.json`, body })}
      />
    )
  }
  return (
    <Group justify="flex-end">
      {closing}
      {!of || of.is_dry_run || of.failed === 0 ? null : (
        <Button
          loading={doing.isBusy}
          onClick={() => doing.send({ method: 'POST', path: `${path}/bulk/${of.id}/retry.json` })}
        >
          {listTexts.retry}
        </Button>
      )}
    </Group>
  )
}

/** What nobody can take back: done to more than one it wants the name of the product typed. */
const FINAL: readonly Bulk['action'][] = ['licenses.cancel', 'coupons.delete']
/** Nor by an argument: consent is not given for many. */
const FINAL_ARGUMENT = 'is_marketing_allowed'

interface ToDo {
  readonly of: Bulk
  readonly isFinal: boolean
  /** The button that closes the dialog. */
  readonly closing: ReactNode
  readonly isBusy: boolean
  readonly act: () => void
}

function DoIt({ of, isFinal, isBusy, act, closing }: ToDo) {
  const { account, product } = usePlace()
  const { data: products = [] } = useQuery(productsQuery(account.developer_id))
  const [typed, setTyped] = useState('')
  const name = products.find(({ id }) => id === product)?.title ?? ''
  const isAsked = isFinal && of.done > 1
  return (
    <>
      {isAsked ? <TypedName name={name} value={typed} type={setTyped} /> : null}
      <Group justify="flex-end">
        {closing}
        <Button loading={isBusy} className="danger" disabled={isAsked && !isName(typed, name)} onClick={act}>
          {fill(listTexts.doIt, { count: numberText(of.done) })}
        </Button>
      </Group>
    </>
  )
}

function HowFar({ of }: { readonly of: Bulk }) {
  const counts = {
    total: numberText(of.total),
    done: numberText(of.done),
    failed: numberText(of.failed),
    so: numberText(of.done + of.failed),
  }
  if (of.state === 'failed')
    return (
      <p className="note bad" role="alert">
        {of.error}
      </p>
    )
  if (!isAtWork(of))
    return (
      <p className={of.failed === 0 ? 'note good' : 'note'} role="status">
        {fill(of.is_dry_run ? listTexts.wouldBe : listTexts.wasDone, counts)}
      </p>
    )
  return (
    <div className="stack progress">
      <progress
        value={of.state === 'collecting' ? 0 : of.done + of.failed}
        max={of.total || 1}
        aria-label={listTexts.bulkProgress}
      />
      <p className="number">
        {fill(of.state === 'collecting' ? listTexts.collecting : listTexts.atWork, counts)}
      </p>
      <p className="muted">{listTexts.mayCloseBulk}</p>
    </div>
  )
}
