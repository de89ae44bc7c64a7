// The link to the page that explains an error or a finding.

export function Help({ address }: { address: string | undefined }) {
  if (address === undefined) return null;
  return (
    <a class="help" href={address} target="_blank" rel="noopener">
      Explanation
    </a>
  );
}
