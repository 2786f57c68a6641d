import p.Base;
import p.Low;
import p.Wide;
import q.Below;
import q.Lowest;
import q.Middle;

/** Which members names mean: each case calls methods that say who they are. */
final class Hierarchy {
    private static long mix(long sum, long next) {
        return sum * 1009 + next;
    }

    private static Base base(int n) {
        switch (n & 7) {
            case 0: return new Base();
            case 1: return new Middle();
            case 2: return new Low();
            case 3: return new Wide();
            case 4: return new Lowest();
            default: return new Below();
        }
    }

    static long casePackages(int n) {
        Base base = base(n);
        long sum = mix(base.callHidden(), Base.hiddenOf(base));
        if (base instanceof Middle) sum = mix(sum, ((Middle) base).callMiddle() + Middle.hiddenOf((Middle) base));
        if (base instanceof Low) sum = mix(sum, ((Low) base).callLow() + Low.hiddenOf((Low) base));
        if (base instanceof Wide) sum = mix(sum, ((Wide) base).hidden() + ((Wide) base).own());
        if (base instanceof Lowest) sum = mix(sum, ((Lowest) base).hidden() + ((Lowest) base).sum());
        if (base instanceof Below) sum = mix(sum, ((Below) base).hidden() + ((Below) base).owns());
        return mix(sum, base.callOwn());
    }

    static long caseFields(int n) {
        Lowest lowest = new Lowest();
        lowest.field += n;
        Below below = new Below();
        ((Wide) below).field++;
        ((Base) below).field--;
        long sum = mix(lowest.field, ((Base) lowest).field + Lowest.shared + Middle.shared);
        sum = mix(sum, Lowest.statically() + Low.statically() * 7 + Wide.statically() * 49);
        return mix(sum, ((Base) below).field * 100 + ((Wide) below).field + below.field.hashCode());
    }

    private static Defaults.Top top(int n) {
        switch (n & 7) {
            case 0: return new Defaults.Diamond();
            case 1: return new Defaults.Repeated();
            case 2: return new Defaults.Both();
            case 3: return new Defaults.Declaring();
            case 4: return new Defaults.Declared();
            case 5: return new Defaults.Whole();
            case 6: return new Defaults.Open();
            default: return new Defaults.Copied();
        }
    }

    static long caseDefaults(int n) {
        Defaults.Top top = top(n);
        long sum = mix(top.run(), top.again() + top.open());
        if (top instanceof Defaults.Left) sum = mix(sum, ((Defaults.Left) top).run() + ((Defaults.Left) top).open());
        if (top instanceof Defaults.Right) sum = mix(sum, ((Defaults.Right) top).again());
        if (top instanceof Defaults.Diamond) sum = mix(sum, ((Defaults.Diamond) top).run());
        if (top instanceof Defaults.Repeated) sum = mix(sum, ((Defaults.Repeated) top).again());
        if (top instanceof Defaults.Partial) sum = mix(sum, ((Defaults.Partial) top).partial());
        if (top instanceof Defaults.Secret) sum = mix(sum, Defaults.Secret.secret((Defaults.Secret) top));
        if (top instanceof Defaults.Abstract) sum = mix(sum, ((Defaults.Abstract) top).run());
        return sum;
    }

    static long caseMethodsOfObject(int n) {
        Defaults.Copied copied = new Defaults.Copied();
        Defaults.Cloned cloned = n > 0 ? copied : (Defaults.Cloned) copied.clone();
        Object copy = cloned.clone();
        int[] numbers = {n};
        long sum = copied.twice(numbers) == numbers.clone() ? 1 : 2;
        return mix(mix(sum, copied.copies), numbers[0]) + (cloned.getClass() == copy.getClass() ? 10 : 20);
    }

    static long caseFieldsOfInterfaces(int n) {
        Defaults.Fields fields = n > 0 ? new Defaults.MoreFields() : new Defaults.Fields();
        long sum = mix(fields.run, Defaults.Count.count);
        return fields instanceof Defaults.MoreFields ? mix(sum, ((Defaults.MoreFields) fields).runs()) : sum;
    }
}
