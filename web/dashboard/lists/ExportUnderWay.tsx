import { Button, Group, Modal } from '@mantine/core'
import { useQuery } from '@tanstack/react-query'
import { Link } from '@tanstack/react-router'
import type { Export } from '../../../src/lists/exports/schema.ts'
import { fill } from '../../shared/language.ts'
import { useFocusBack } from '../../ui/focus-back.ts'
import { Loading } from '../../ui/parts.tsx'
import { ask } from '../../ui/server.ts'
import { numberText } from '../format.tsx'
import { Failure } from '../parts.tsx'
import { usePlace } from '../place.ts'
import { listTexts } from '../texts/lists.ts'
import { texts } from '../texts/texts.ts'
import { isUnderWay } from './under-way.ts'

const EVERY_MS = 1_000

interface Followed {
  readonly id: string
  readonly title: string
  readonly close: () => void
}

/** How far an export is, and its file when it is written. */
export function ExportUnderWay({ id, title, close }: Followed) {
  useFocusBack(true)
  const { account, accountPath } = usePlace()
  const path = `${accountPath}/exports/${id}.json`
  const { data, error, refetch } = useQuery({
    queryKey: [path],
    queryFn: () => ask<Export>(path),
    refetchInterval: ({ state }) => (state.data && !isUnderWay(state.data) ? false : EVERY_MS),
  })
  return (
    <Modal.Root opened onClose={close} radius={10}>
      <Modal.Overlay />
      <Modal.Content>
        <div className="dialog-head">
          <Modal.Title>{title}</Modal.Title>
          <Modal.CloseButton aria-label={texts.close} />
        </div>
        <Modal.Body>
          <div className="stack">
            {error ? (
              <Failure error={error} again={() => void refetch()} />
            ) : data ? (
              <HowFar of={data} />
            ) : (
              <Loading lines={2} />
            )}
            <Group justify="flex-end">
              <Button
                variant="default"
                renderRoot={(props) => (
                  <Link {...props} to="/$account/exports" params={{ account: account.developer_id }} />
                )}
              >
                {listTexts.allExports}
              </Button>
              {data?.url ? (
                <Button component="a" href={data.url} download>
                  {listTexts.download}
                </Button>
              ) : null}
            </Group>
          </div>
        </Modal.Body>
      </Modal.Content>
    </Modal.Root>
  )
}

function HowFar({ of }: { readonly of: Export }) {
  const rows = numberText(of.rows)
  if (of.state === 'failed')
    return (
      <p className="note bad" role="alert">
        {fill(listTexts.failedToWrite, { why: of.error ?? '' })}
      </p>
    )
  if (!isUnderWay(of))
    return (
      <p className="note good" role="status">
        {fill(listTexts.written, { rows })}
      </p>
    )
  return (
    <div className="stack progress">
      <progress value={of.progress} max={1} aria-label={listTexts.progress} />
      <p className="number">{of.state === 'waiting' ? listTexts.waits : fill(listTexts.soFar, { rows })}</p>
      <p className="muted">{listTexts.mayClose}</p>
    </div>
  )
}
