import { Button } from '@mantine/core'
import { Link } from '@tanstack/react-router'
import { usePlace } from '../../place.ts'
import { texts } from '../../texts/texts.ts'

/** The way to what the checks say of a license, on an install where that is named. */
export function ToExplain({ license, uid }: { readonly license: string; readonly uid?: string | null }) {
  const { account, product } = usePlace()
  return (
    <Button
      variant="default"
      renderRoot={(props) => (
        <Link
          {...props}
          to="/$account/$product/explain"
          params={{ account: account.developer_id, product }}
          search={{ license, ...(uid && { uid }) }}
        />
      )}
    >
      {texts.whyRefused}
    </Button>
  )
}
