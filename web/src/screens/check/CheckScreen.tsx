export default function CheckScreen(_props: Record<string, unknown>) {
  return null;
}
