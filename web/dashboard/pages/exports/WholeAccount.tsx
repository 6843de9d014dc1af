import { Button } from '@mantine/core'
import { useQuery } from '@tanstack/react-query'
import { useState } from 'react'
import type { Export } from '../../../../src/lists/exports/schema.ts'
import { Loading } from '../../../ui/parts.tsx'
import { ask } from '../../../ui/server.ts'
import { Allowed } from '../../Allowed.tsx'
import { isUnderWay } from '../../lists/under-way.ts'
import { Empty, Failure, PageHead } from '../../parts.tsx'
import { usePlace } from '../../place.ts'
import { sessionQuery } from '../../session.ts'
import { wholeTexts } from '../../texts/whole.ts'
import { ExportAccount } from './ExportAccount.tsx'
import { Outcome } from './Outcome.tsx'

/** How often one is asked for that is being written. */
const AGAIN_MS = 1_000

/** All that the account has, as a file: how far it is, and the file while that is there. For its owner alone. */
export function WholeAccount() {
  const { account } = usePlace()
  const { data: session } = useQuery(sessionQuery)
  const isOwner = session?.person.id === account.developer_id
  return (
    <>
      <PageHead title={wholeTexts.title} about={wholeTexts.about} />
      {isOwner ? (
        <OfOwner />
      ) : (
        <div className="panel blank">
          <p>{wholeTexts.ownerOnly}</p>
        </div>
      )}
    </>
  )
}

function OfOwner() {
  const { accountPath } = usePlace()
  const [isAsking, setAsking] = useState(false)
  const path = `${accountPath}/exports.json`
  const query = { kind: 'account', count: 1 }
  const { data, error, refetch } = useQuery({
    queryKey: [path, query],
    queryFn: () => ask<{ readonly exports: readonly Export[] }>(path, query),
    refetchInterval: ({ state }) => (state.data?.exports.some(isUnderWay) ? AGAIN_MS : false),
  })
  if (error) return <Failure error={error} again={() => void refetch()} />
  if (!data) return <Loading />
  const [last] = data.exports
  const begin = (
    <Allowed group="tokens" isRead>
      {(barred) => (
        <Button
          {...barred}
          variant={last?.state === 'done' ? 'default' : 'filled'}
          onClick={() => setAsking(true)}
        >
          {last ? wholeTexts.again : wholeTexts.export}
        </Button>
      )}
    </Allowed>
  )
  return (
    <>
      {last ? (
        <Outcome of={last} begin={begin} />
      ) : (
        <Empty title={wholeTexts.none} more={wholeTexts.noneMore}>
          {begin}
        </Empty>
      )}
      {isAsking ? <ExportAccount close={() => setAsking(false)} /> : null}
    </>
  )
}
