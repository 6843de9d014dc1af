import { Button } from '@mantine/core'
import { useNavigate } from '@tanstack/react-router'
import { useState } from 'react'
import { Confirm } from '../../../ui/doing.tsx'
import { Allowed } from '../../Allowed.tsx'
import { usePlace } from '../../place.ts'
import { texts } from '../../texts/texts.ts'

/** Deletes a store that nothing is sold in, after it was said what goes with it. */
export function DeleteStore({ own }: { readonly own: string }) {
  const { account } = usePlace()
  const navigate = useNavigate()
  const [isAsked, setAsked] = useState(false)
  const leave = () =>
    void navigate({ to: '/$account/stores', params: { account: account.developer_id }, replace: true })
  return (
    <>
      <Allowed group="catalogue">
        {(barred) => (
          <Button {...barred} variant="default" onClick={() => setAsked(true)}>
            {texts.deleteStore}
          </Button>
        )}
      </Allowed>
      {isAsked ? (
        <Confirm
          title={texts.deleteStore}
          text={texts.deleteStoreMore}
          keep={texts.keepStore}
          sent={{ method: 'DELETE', path: `${own}.json` }}
          close={() => setAsked(false)}
          done={leave}
        />
      ) : null}
    </>
  )
}
