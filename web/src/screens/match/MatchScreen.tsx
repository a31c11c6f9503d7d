export default function MatchScreen({ flow, step }: { flow: string | null; step: string | null }) {
  return (
    <main>
      {flow} {step}
    </main>
  );
}
