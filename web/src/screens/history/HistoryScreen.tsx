export default function HistoryScreen({ flow, run }: { flow: string | null; run: string | null }) {
  return (
    <main>
      {flow} {run}
    </main>
  );
}
